package finhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// sent is what the server received.
type sent struct {
	method, url, key, body string
}

// serve returns a client of a server that responds with each of these in turn, and then with the last.
func serve(t *testing.T, responses []http.HandlerFunc, options ...Option) (*Client, *[]sent) {
	t.Helper()
	var requests []sent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, sent{r.Method, r.URL.String(), r.Header.Get("Idempotency-Key"), string(body)})
		responses[min(len(requests), len(responses))-1](w, r)
	}))
	t.Cleanup(server.Close)
	client, err := New("sk_test_x", append([]Option{WithBaseURL(server.URL + "/")}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client, &requests
}

func respond(status int, contentType, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func problem(status int, code string, retryable bool, headers ...string) http.HandlerFunc {
	text := fmt.Sprintf(`{"status":%d,"code":%q,"detail":"It failed.","retryable":%t,"request_id":"req_1"}`, status, code, retryable)
	return respond(status, "application/problem+json", text, headers...)
}

func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	fmt.Fprint(w, "{")
}

var (
	company     = respond(201, "application/json", `{"id":"co_1"}`)
	unavailable = problem(503, "unavailable", true, "Retry-After", "0")
)

func create(client *Client) (*CompanyResult, error) {
	return client.CompaniesCreate(context.Background(), nil, CompaniesCreateBody{Name: "Acme"})
}

func TestChangeIsRepeatedWithTheSameKey(t *testing.T) {
	for name, failure := range map[string]http.HandlerFunc{
		"a retryable problem": unavailable,
		"a page of a proxy":   respond(502, "text/html", "<html>"),
		"JSON of a proxy":     respond(504, "application/json", `{"message":"timed out"}`),
		"cut off":             cutOff,
		"a closed connection": hangUp,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var retries []Retry
			client, requests := serve(t, []http.HandlerFunc{failure, company}, WithOnRetry(func(r Retry) { retries = append(retries, r) }))
			result, err := create(client)
			if err != nil || result.ID != "co_1" {
				t.Fatal(result, err)
			}
			got := *requests
			if len(got) != 2 || got[0] != got[1] || len(got[0].key) < 20 {
				t.Error(got)
			}
			if len(retries) != 1 || retries[0].Operation != "companies.create" || retries[0].Attempt != 1 {
				t.Error(retries)
			}
		})
	}
}

func TestFailureIsNotRepeated(t *testing.T) {
	for name, test := range map[string]struct {
		failure http.HandlerFunc
		status  int
		code    string
	}{
		"a permanent problem":    {problem(409, "company_dissolved", false), 409, "company_dissolved"},
		"a page of another site": {respond(404, "text/html", "<html>"), 404, ""},
		"a redirect":             {respond(301, "text/html", "", "Location", "/"), 301, ""},
		"a long Retry-After":     {problem(429, "rate_limited", true, "Retry-After", "61"), 429, "rate_limited"},
	} {
		t.Run(name, func(t *testing.T) {
			client, requests := serve(t, []http.HandlerFunc{test.failure})
			_, err := create(client)
			var failure *Error
			if !errors.As(err, &failure) || failure.Status != test.status || failure.Code != test.code || len(*requests) != 1 {
				t.Error(err, len(*requests))
			}
			if IsProblem(err) != (test.code != "") || IsProblem(err, "unavailable") || (test.code != "" && !IsProblem(err, "unavailable", test.code)) {
				t.Error(failure.Code)
			}
		})
	}
}

func TestAnotherHTTPClientFollowsNoRedirects(t *testing.T) {
	followed := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	for _, status := range []int{http.StatusMovedPermanently, http.StatusTemporaryRedirect} {
		client, requests := serve(t, []http.HandlerFunc{respond(status, "text/html", "", "Location", "/elsewhere"), company}, WithHTTPClient(followed))
		_, err := create(client)
		var failure *Error
		if !errors.As(err, &failure) || failure.Status != status || len(*requests) != 1 {
			t.Error(err, *requests)
		}
	}
}

func TestLastErrorIsReturned(t *testing.T) {
	client, requests := serve(t, []http.HandlerFunc{unavailable}, WithMaxRetries(1))
	_, err := create(client)
	var failure *Error
	if !errors.As(err, &failure) || failure.RequestID != "req_1" || failure.Problem.Detail != "It failed." || len(*requests) != 2 {
		t.Error(err, len(*requests))
	}
	if err.Error() != "finhook: companies.create: It failed. (503 unavailable)" {
		t.Error(err)
	}
}

func TestOwnKeyIsSent(t *testing.T) {
	client, requests := serve(t, []http.HandlerFunc{unavailable, company})
	_, err := client.CompaniesCreate(context.Background(), &CompaniesCreateParams{IdempotencyKey: Ptr("mine")}, CompaniesCreateBody{Name: "Acme"})
	if err != nil || (*requests)[0].key != "mine" || (*requests)[1].key != "mine" {
		t.Error(err, *requests)
	}
}

func TestWithoutRetriesNoKeyIsSent(t *testing.T) {
	client, requests := serve(t, []http.HandlerFunc{unavailable}, WithMaxRetries(0))
	if _, err := create(client); !IsProblem(err, "unavailable") || len(*requests) != 1 || (*requests)[0].key != "" {
		t.Error(err, *requests)
	}
}

func TestNothingIsSentThatMeansAnotherCall(t *testing.T) {
	client, requests := serve(t, []http.HandlerFunc{company})
	if _, err := client.CompaniesGet(context.Background(), ""); err == nil {
		t.Error("an empty ID was sent")
	}
	params := &CompaniesCreateParams{IdempotencyKey: Ptr("")}
	if _, err := client.CompaniesCreate(context.Background(), params, CompaniesCreateBody{}); err == nil {
		t.Error("an empty key was sent")
	}
	if len(*requests) != 0 {
		t.Error(*requests)
	}
}

func TestABodyWithoutFieldsMayBeNil(t *testing.T) {
	client, requests := serve(t, []http.HandlerFunc{respond(200, "application/json", `{"id":"rpl_1"}`)})
	if _, err := client.ReplaysPause(context.Background(), "rpl_1", nil, nil); err != nil || (*requests)[0].body != "{}" {
		t.Error(err, *requests)
	}
}

// wait never responds, until the client has gone.
func wait(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func TestAttemptTimesOut(t *testing.T) {
	client, requests := serve(t, []http.HandlerFunc{wait, company}, WithTimeout(time.Second))
	if result, err := create(client); err != nil || result.ID != "co_1" || len(*requests) != 2 {
		t.Error(err, len(*requests))
	}
	client, _ = serve(t, []http.HandlerFunc{wait}, WithTimeout(30*time.Millisecond), WithMaxRetries(0))
	_, err := create(client)
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != 0 || err.Error() != "finhook: companies.create: no complete response within the timeout of 0.03 s" {
		t.Error(err)
	}
}

func TestContextEndsTheCall(t *testing.T) {
	reason := errors.New("no longer needed")
	t.Run("while it waits for a response", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		client, requests := serve(t, []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			cancel(reason)
			wait(w, r)
		}})
		if _, err := client.MeGet(ctx); !errors.Is(err, reason) || len(*requests) != 1 {
			t.Error(err)
		}
	})
	t.Run("while it waits for a retry", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		client, _ := serve(t, []http.HandlerFunc{problem(503, "unavailable", true, "Retry-After", "50")},
			WithOnRetry(func(Retry) { cancel(reason) }))
		if _, err := client.MeGet(ctx); !errors.Is(err, reason) {
			t.Error(err)
		}
	})
	t.Run("before a retry that would be too late", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		client, requests := serve(t, []http.HandlerFunc{problem(503, "unavailable", true, "Retry-After", "50")})
		if _, err := client.MeGet(ctx); !IsProblem(err, "unavailable") || len(*requests) != 1 {
			t.Error(err)
		}
	})
}

func TestListIsReadToItsEnd(t *testing.T) {
	page := func(body string) http.HandlerFunc { return respond(200, "application/json", body) }
	pages := []http.HandlerFunc{
		page(`{"data":[{"id":"evt_1"},{"id":"evt_2"}],"has_more":true,"next_cursor":"a&b"}`),
		unavailable,
		page(`{"data":[{"id":"evt_3"}],"has_more":false,"next_cursor":"c"}`),
	}
	client, requests := serve(t, pages)
	var ids []string
	from := time.Date(2026, 3, 1, 10, 0, 0, 0, time.FixedZone("CET", 3600))
	for event, err := range client.EventsListAll(context.Background(), &EventsListParams{CreatedFrom: &from}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, event.ID)
	}
	if strings.Join(ids, " ") != "evt_1 evt_2 evt_3" || (*requests)[2].url != "/api/v1/events?after=a%26b&created_from=2026-03-01T09%3A00%3A00Z" {
		t.Error(ids, *requests)
	}

	client, _ = serve(t, []http.HandlerFunc{pages[0], problem(401, "revoked_api_key", false)})
	var last error
	for _, err := range client.EventsListAll(context.Background(), nil) {
		last = err
	}
	if !IsProblem(last, "revoked_api_key") {
		t.Error(last)
	}
}

func TestNullAndEmptyListsAreSent(t *testing.T) {
	client, requests := serve(t, []http.HandlerFunc{respond(200, "application/json", `{"id":"we_1"}`)})
	ctx := context.Background()
	if _, err := client.WebhookEndpointsUpdate(ctx, "we_1", nil, WebhookEndpointsUpdateBody{Events: []string{}}); err != nil {
		t.Fatal(err)
	}
	var endpoint WebhookEndpoint
	if err := client.Call(ctx, http.MethodPatch, "/webhook-endpoints/we_1", map[string]any{"filter": nil}, &endpoint); err != nil {
		t.Fatal(err)
	}
	bodies := (*requests)[0].body + (*requests)[1].body
	if bodies != `{"events":[]}{"filter":null}` || (*requests)[1].key == "" || endpoint.ID != "we_1" {
		t.Error(*requests)
	}
}

func TestRecordsKeepExactAmountsAndIgnoreUnknownFields(t *testing.T) {
	var row BankTransaction
	text := `{"amount_cents":9007199254740991,"added_later":{},"posted_at":"2026-03-01T09:30:00.000Z"}`
	if err := json.Unmarshal([]byte(text), &row); err != nil || row.AmountCents != 1<<53-1 {
		t.Error(row, err)
	}
}

func TestUnionSaysItsType(t *testing.T) {
	var bound FilterBound
	var filter PayloadFilter
	if err := errors.Join(bound.FromFilterBound1(5), filter.FromFilterGt(FilterGt{Field: "data.balance_cents", Value: bound})); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(filter)
	if err != nil || string(text) != `{"field":"data.balance_cents","op":"gt","value":5}` {
		t.Error(string(text), err)
	}
	if condition, err := filter.AsFilterGt(); err != nil || condition.Op != "gt" {
		t.Error(condition, err)
	}
}

func TestDelays(t *testing.T) {
	for attempt, want := range map[int]time.Duration{1: 250, 2: 500, 3: 1000, 9: 4000, 36: 4000, 100: 4000} {
		shortest, _ := retryDelay(&Error{Retryable: true}, attempt, 0)
		longest, _ := retryDelay(&Error{Retryable: true}, attempt, 1)
		if shortest != want*time.Millisecond || longest != 2*shortest {
			t.Error(attempt, shortest, longest)
		}
	}
	if delay, _ := retryDelay(&Error{Retryable: true, RetryAfter: Ptr(5 * time.Second)}, 1, 1); delay != 5250*time.Millisecond {
		t.Error(delay)
	}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"3": 3 * time.Second, "Sun, 01 Mar 2026 00:00:02 GMT": 2 * time.Second, "Sat, 28 Feb 2026 00:00:00 GMT": 0,
	} {
		if got := parseRetryAfter(header, now); got == nil || *got != want {
			t.Error(header, got)
		}
	}
	if parseRetryAfter("", now) != nil || parseRetryAfter("soon", now) != nil {
		t.Error("an invalid Retry-After was read")
	}
}

func TestNewRejectsWhatCannotWork(t *testing.T) {
	for _, url := range []string{"", "finhook.example.com", "ftp://example.com", "https://example.com/api/v1/", "https://example.com/x/trpc"} {
		if _, err := New("sk_test_x", WithBaseURL(url)); err == nil {
			t.Error(url)
		}
	}
	if _, err := New("", WithBaseURL("https://example.com")); err == nil {
		t.Error("an empty key")
	}
}
