// Package finhook is the client of the finhook API, and the receiver of its webhooks. It has no dependencies.
//
// Each operation of the API is a method of [Client]. A call that may succeed later is repeated; a change has an
// Idempotency-Key that its retries share, so that it is executed once. [VerifyWebhook] verifies a delivery.
package finhook

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// The service allows an account 32 calls in flight; this leaves some to its other clients.
const maxCallsInFlight = 24

// Client calls the API. It is safe for concurrent use. At most 24 calls are in flight, the others are queued.
type Client struct {
	apiKey     string
	baseURL    string
	httpClient *http.Client
	timeout    time.Duration
	maxRetries int
	onRetry    func(Retry)
	slots      chan struct{}
}

// Option configures a [Client].
type Option func(*Client)

// WithBaseURL sets where the service listens, for example https://finhook.example.com. It is required.
func WithBaseURL(baseURL string) Option { return func(c *Client) { c.baseURL = baseURL } }

// WithHTTPClient sends requests with another HTTP client. Its Transport can add a proxy, logs, or traces. Redirects are
// not followed, whatever its CheckRedirect is.
func WithHTTPClient(client *http.Client) Option { return func(c *Client) { c.httpClient = client } }

// WithTimeout limits the time of one attempt, until its response is read; 30 seconds by default. The context of a call
// limits the call as a whole.
func WithTimeout(timeout time.Duration) Option { return func(c *Client) { c.timeout = timeout } }

// WithMaxRetries sets the number of retries after the first attempt; 2 by default, 0 for none. Without retries, a
// change has an Idempotency-Key only if its params have one.
func WithMaxRetries(retries int) Option { return func(c *Client) { c.maxRetries = retries } }

// Retry is a failed attempt that is repeated after Delay.
type Retry struct {
	// Operation is the path of the operation, for example companies.create.
	Operation string
	// Attempt is the number of the failed attempt, from 1.
	Attempt int
	Delay   time.Duration
	Err     error
}

// WithOnRetry calls a function before the wait for a retry.
func WithOnRetry(onRetry func(Retry)) Option { return func(c *Client) { c.onRetry = onRetry } }

// New creates a client with a key of the account, sk_live_… or sk_test_….
func New(apiKey string, options ...Option) (*Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = maxCallsInFlight
	client := &Client{
		apiKey:     apiKey,
		httpClient: &http.Client{Transport: transport},
		timeout:    30 * time.Second,
		maxRetries: 2,
		onRetry:    func(Retry) {},
		slots:      make(chan struct{}, maxCallsInFlight),
	}
	for _, option := range options {
		option(client)
	}
	httpClient := *client.httpClient
	// Followed, a redirected POST would become a GET, whose response is another one, or take the key elsewhere.
	httpClient.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client.httpClient = &httpClient
	if apiKey == "" {
		return nil, errors.New("finhook: the API key is empty; the service responds to nobody without one")
	}
	base, err := url.Parse(client.baseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("finhook: WithBaseURL must say where the service listens, like https://finhook.example.com; it is %q", client.baseURL)
	}
	path := strings.TrimRight(base.Path, "/")
	if added := regexp.MustCompile(`/(api/v1|trpc)$`).FindString(path); added != "" {
		return nil, fmt.Errorf("finhook: the base URL must be without %s: the client adds the path itself", added)
	}
	client.baseURL = base.Scheme + "://" + base.Host + path + "/api/v1"
	return client, nil
}

// Ptr returns a pointer to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Error is a call that failed: the service rejected it, or its response did not arrive.
type Error struct {
	// Operation is the path of the operation, for example companies.create.
	Operation string
	// Status is the HTTP status; 0 if no response arrived in time.
	Status int
	// Code is the code of the problem, for example company_not_found; empty if the response is not the service's.
	Code string
	// Problem is the problem document (RFC 9457); nil if the response is not the service's, or none arrived.
	Problem *Problem
	// RequestID is the service's ID of the request, which its log has too.
	RequestID string
	// Retryable is true if the same call may succeed later. The client has used up its retries.
	Retryable bool
	// RetryAfter is how long the response asks to wait; nil if it does not.
	RetryAfter *time.Duration

	message string
	cause   error
}

func (e *Error) Error() string {
	if e.cause == nil {
		return "finhook: " + e.Operation + ": " + e.message
	}
	return "finhook: " + e.Operation + ": " + e.message + ": " + e.cause.Error()
}

// Unwrap returns the error of the connection or of the JSON parser, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// IsProblem is true for an error whose problem has one of these codes, or any code if none is given:
// IsProblem(err, "company_not_found").
func IsProblem(err error, codes ...string) bool {
	var failure *Error
	if !errors.As(err, &failure) || failure.Code == "" {
		return false
	}
	for _, code := range codes {
		if code == failure.Code {
			return true
		}
	}
	return len(codes) == 0
}

func (e *Error) withProblem(problem *Problem) *Error {
	e.Problem, e.Code, e.Retryable = problem, string(problem.Code), problem.Retryable
	e.RequestID = cmp.Or(problem.RequestID, e.RequestID)
	e.message, e.cause = fmt.Sprintf("%s (%d %s)", problem.Detail, e.Status, e.Code), nil
	return e
}
