package agentarena

import "testing"

func BenchmarkAppendRequest(b *testing.B) {
	r := connectFour(b, "c", "d", "d", "d", "e")
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendRequest(buf[:0], r, nonce, replayURL)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

func BenchmarkDecode(b *testing.B) {
	r := connectFour(b, "c", "d", "d", "d", "e")
	body := AppendReply(nil, Reply{Move: "d", Nonce: nonce, Reason: "the centre is taken, so I build on it"})
	b.ReportAllocs()
	for b.Loop() {
		if a := Decode(200, body, nonce, r); a.Action != "3" {
			b.Fatalf("%+v", a)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "replies/s")
}

func BenchmarkDecodeRequest(b *testing.B) {
	body := AppendRequest(nil, connectFour(b, "c", "d", "d", "d", "e"), nonce, replayURL)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeRequest(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
