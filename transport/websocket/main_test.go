package websocket_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if idleMain() {
		return
	}
	goleak.VerifyTestMain(m)
}
