//go:build unix

package svc

import (
	"math"
	"strings"
	"syscall"
	"testing"
	"time"
)

// spent is the time that processors have worked for this process: what else the machine does takes no part in it.
func spent(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkValidation measures the whole judgement with known keys, and its ratio to the bare signature check.
// Collecting garbage is a part of it.
func BenchmarkValidation(b *testing.B) {
	var file tokenFile
	vectors(b, "access_tokens.json", &file)
	for _, one := range file.Cases[:2] {
		b.Run(strings.ReplaceAll(one.Name, " ", "_"), func(b *testing.B) {
			verifier, request, required := file.verifier(b), requestOf(&one), requiredOf(&one)
			_, token, _ := credential(request.Authorization)
			parsed, err := parseJWS(token)
			if err != nil {
				b.Fatal(err)
			}
			key, _ := verifier.config.Keys.key(b.Context(), parsed.kid)
			// By turns, and the fastest of each: what else the machine does slows both down, or neither counts it.
			const rounds = 500
			bare, whole := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			for b.Loop() {
				before := spent(b)
				for range rounds {
					if !key.verifies([]byte(parsed.input), parsed.signature) {
						b.Fatal("the signature does not verify")
					}
				}
				bare = min(bare, (spent(b)-before)/rounds)
				before = spent(b)
				for range rounds {
					if _, err := verifier.Verify(b.Context(), request, required); err != nil {
						b.Fatal(err)
					}
				}
				whole = min(whole, (spent(b)-before)/rounds)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(time.Second)/float64(whole), "validations/s/core")
			b.ReportMetric(float64(whole)/float64(bare), "of-bare-check")
		})
	}
}
