package callback_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// ExampleAgent is an agent that takes the middle one of its legal moves.
func ExampleAgent() {
	agent, err := callback.Agent(func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		return agentarena.Reply{Move: m.Legal[len(m.Legal)/2], Reason: "the middle"}, nil
	}, callback.AgentOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(agent) // http.Handle("/play", agent) elsewhere
	defer server.Close()

	resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(
		`{"protocol":"agentarena/1","type":"move_request","match_id":"m1","move_number":1,"legal":["a","b","c"],"nonce":"7f3a"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(body))
	// Output: 200 {"move":"b","nonce":"7f3a","reason":"the middle"}
}

// ExampleSignedAgent is an agent that takes the first of its legal actions, and
// lets nobody in but the arena that it shares a secret with.
func ExampleSignedAgent() {
	secret := callback.NewSecret() // callback.ParseSecret(os.Getenv("LUDUX_SECRET")) elsewhere
	verifier, err := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{secret}})
	if err != nil {
		fmt.Println(err)
		return
	}
	agent, err := callback.SignedAgent(func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
		return m.Respond(m.LegalActions[0], "the first"), nil
	}, callback.SignedAgentOptions{Verifier: verifier})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(agent) // http.Handle("/play", agent) elsewhere
	defer server.Close()

	resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(`{"protocol":"ludux/1"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
	// Output: 401 Unauthorized
}

// ExampleSigned referees a match between an agent behind a URL, which it reaches by signed
// requests, and a Go function. A host on the internet leaves AllowHTTP and
// AllowLoopback out, and has the secrets in its database.
func ExampleSigned() {
	secrets := map[string]callback.Secret{"ann": callback.NewSecret()}
	verifier, _ := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{secrets["ann"]}})
	agent, _ := callback.SignedAgent(func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
		return m.Respond(m.LegalActions[len(m.LegalActions)/2], ""), nil
	}, callback.SignedAgentOptions{Verifier: verifier})
	server := httptest.NewServer(agent)
	defer server.Close()

	transport, err := callback.New(callback.Options{
		ReplayURL: "https://arena.example/m/{match_id}",
		AllowHTTP: true, AllowLoopback: true,
		Signed: &callback.Signed{Secrets: func(_ context.Context, a referee.Agent) ([]callback.Secret, error) {
			return []callback.Secret{secrets[a.Slug]}, nil
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer transport.Close()
	ctx := context.Background()
	ann := referee.Agent{Slug: "ann", Name: "Ann"}
	if err := transport.Register(ctx, ann, server.URL+"/play"); err != nil {
		fmt.Println(err)
		return
	}
	player, err := transport.Player(ctx, ann)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, _ := connectfour.New().Table(nil)
	policy, clock := ludux.Policy(2)
	result, err := new(referee.Local).Play(ctx, referee.Setup{
		ID: "m1", Table: table,
		Seats: []referee.SeatInfo{
			{Agent: ann, Transport: "posts", Policy: policy, Clock: clock},
			{Agent: referee.Agent{Slug: "left"}, Transport: "local"},
		},
	}, player, referee.Inline(func(r *referee.Request) referee.Answer {
		return referee.Answer{Action: r.Legal(nil)[0]}
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Cause, result.Reason, result.Places)
	// Output: play connect [1 2]
}

// ExampleSign signs a message of the specification.
func ExampleSign() {
	secret, err := callback.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(callback.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`), secret))
	// Output: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
}

// ExampleVerifier guards any handler of webhooks.
func ExampleVerifier() {
	secret := callback.NewSecret()
	verifier, err := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{secret}})
	if err != nil {
		fmt.Println(err)
		return
	}
	hooks := verifier.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Printf("got %s\n", body)
	}))

	now, body := time.Now(), `{"type":"hello"}`
	r := httptest.NewRequest("POST", "/hooks", strings.NewReader(body))
	r.Header.Set(callback.HeaderID, "msg_1")
	r.Header.Set(callback.HeaderTimestamp, fmt.Sprint(now.Unix()))
	r.Header.Set(callback.HeaderSignature, callback.Sign("msg_1", now, []byte(body), secret))
	w := httptest.NewRecorder()
	hooks.ServeHTTP(w, r)
	fmt.Println(w.Code)
	// Output:
	// got {"type":"hello"}
	// 200
}

// Example referees a match between an agent behind a URL and a Go function. A
// host on the internet leaves AllowHTTP and AllowLoopback out.
func Example() {
	agent, _ := callback.Agent(func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		return agentarena.Reply{Move: m.Legal[len(m.Legal)/2]}, nil
	}, callback.AgentOptions{})
	server := httptest.NewServer(agent)
	defer server.Close()

	transport, err := callback.New(callback.Options{
		ReplayURL: "https://arena.example/m/{match_id}",
		AllowHTTP: true, AllowLoopback: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer transport.Close()
	ctx := context.Background()
	ann := referee.Agent{Slug: "ann", Name: "Ann"}
	if err := transport.Register(ctx, ann, server.URL+"/play"); err != nil {
		fmt.Println(err)
		return
	}
	player, err := transport.Player(ctx, ann)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, _ := connectfour.New().Table(nil)
	policy, clock := agentarena.Policy(2)
	result, err := new(referee.Local).Play(ctx, referee.Setup{
		ID: "m1", Table: table,
		Seats: []referee.SeatInfo{
			{Agent: ann, Transport: "callback", Policy: policy, Clock: clock},
			{Agent: referee.Agent{Slug: "left"}, Transport: "local"},
		},
	}, player, referee.Inline(func(r *referee.Request) referee.Answer {
		return referee.Answer{Action: r.Legal(nil)[0]}
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Cause, result.Reason, result.Places, result.Seats[0].Strikes)
	// Output: play connect [1 2] 0
}
