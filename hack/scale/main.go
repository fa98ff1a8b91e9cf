// Command scale creates ResourceSlices as fast as an API server takes them: what hack/bench scale compares the operator with.
//
//	scale dump FILE                    writes the stored slices to FILE, one a line, without what the API server has set
//	scale create FILE PARALLEL COUNT   creates the first COUNT of them (0 for all), PARALLEL at a time, and prints
//	                                   "SLICES BYTES SECONDS"
//
// The environment has the API server's address (API_SERVER), a token (API_TOKEN) and its certificate as base64 (API_CA).
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	path       = "/apis/resource.k8s.io/v1/resourceslices"
	pageSize   = "100"
	maxLine    = 2 << 20
	maxRefusal = 2000
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(arguments []string) error {
	api, err := connect()
	if err != nil {
		return err
	}
	switch {
	case len(arguments) == 2 && arguments[0] == "dump":
		return api.dump(arguments[1])
	case len(arguments) == 4 && arguments[0] == "create":
		parallel, err := strconv.Atoi(arguments[2])
		if err != nil {
			return err
		}
		count, err := strconv.Atoi(arguments[3])
		if err != nil {
			return err
		}
		return api.create(arguments[1], parallel, count)
	}
	return errors.New("usage: scale dump FILE | scale create FILE PARALLEL COUNT")
}

type apiServer struct {
	client *http.Client
	url    string
	token  string
}

func connect() (*apiServer, error) {
	ca, err := base64.StdEncoding.DecodeString(os.Getenv("API_CA"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New("API_CA has no certificate")
	}
	// As client-go: HTTP/2, so that all requests share a connection.
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	return &apiServer{
		client: &http.Client{Transport: transport},
		url:    strings.TrimSuffix(os.Getenv("API_SERVER"), "/") + path,
		token:  os.Getenv("API_TOKEN"),
	}, nil
}

func (api *apiServer) do(method, query string, body []byte) ([]byte, error) {
	request, err := http.NewRequest(method, api.url+query, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+api.token)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Content-Type", "application/json")
	response, err := api.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%s: %.*s", response.Status, maxRefusal, answer)
	}
	return answer, nil
}

func (api *apiServer) dump(file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	lines := bufio.NewWriter(out)
	next := ""
	for {
		answer, err := api.do(http.MethodGet, "?limit="+pageSize+"&continue="+url.QueryEscape(next), nil)
		if err != nil {
			return err
		}
		var page struct {
			Metadata struct{ Continue string }
			Items    []struct {
				Metadata map[string]json.RawMessage `json:"metadata"`
				Spec     json.RawMessage            `json:"spec"`
			}
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return err
		}
		for _, item := range page.Items {
			for _, set := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"} {
				delete(item.Metadata, set)
			}
			line, err := json.Marshal(map[string]any{
				"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": item.Metadata, "spec": item.Spec,
			})
			if err != nil {
				return err
			}
			if _, err := lines.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		next = page.Metadata.Continue
		if next == "" {
			return lines.Flush()
		}
	}
}

func (api *apiServer) create(file string, parallel, count int) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	slices := make(chan []byte, parallel)
	failures := make(chan error, parallel)
	var workers sync.WaitGroup
	for range parallel {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for slice := range slices {
				if _, err := api.do(http.MethodPost, "", slice); err != nil {
					failures <- err
					return
				}
			}
		}()
	}
	begun := time.Now()
	created, size := 0, 0
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	for (count == 0 || created < count) && lines.Scan() {
		slice := bytes.Clone(lines.Bytes())
		select {
		case slices <- slice:
			created++
			size += len(slice)
		case err := <-failures:
			return err
		}
	}
	close(slices)
	workers.Wait()
	select {
	case err := <-failures:
		return err
	default:
	}
	fmt.Printf("%d %d %.2f\n", created, size, time.Since(begun).Seconds())
	return lines.Err()
}
