package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cluster is a control plane on this machine with the operator beside it. Both end with the test.
type cluster struct {
	t           *testing.T
	environment []string
}

// root is a clone of fakegpu-operator: the environment variable FAKEGPU_ROOT, or the one around this example.
func root(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("FAKEGPU_ROOT")
	if dir == "" {
		dir = "../../.."
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}

// fakegpu is the program: the environment variable FAKEGPU, such as bin/fakegpu of an unpacked archive, or that of the clone.
func fakegpu(t *testing.T) string {
	t.Helper()
	if program := os.Getenv("FAKEGPU"); program != "" {
		return program
	}
	return filepath.Join(root(t), "hack", "fakegpu")
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	controlPlane := filepath.Join(root(t), "hack", "control-plane")
	name := fmt.Sprintf("batch-%d", os.Getpid())
	t.Cleanup(func() {
		if out, err := exec.Command(controlPlane, "down", "--name", name).CombinedOutput(); err != nil {
			t.Errorf("the control plane does not end: %v: %s", err, out)
		}
	})
	run(t, nil, controlPlane, "up", "--name", name, "--with", "controller-manager")
	// What "env" prints is for a shell, so a shell says what it means.
	variables := run(t, nil, "bash", "-c", `eval "$("$0" env --name "$1")" && printf 'KUBECONFIG=%s\nPATH=%s' "$KUBECONFIG" "$PATH"`,
		controlPlane, name)
	c := &cluster{t: t, environment: append(os.Environ(), strings.Split(variables, "\n")...)}
	c.kubectl("apply", "--server-side", "-f", filepath.Join(root(t), "crds", "fakegpus.fakegpu.dev.yaml"))
	c.await("get", "fakegpus") // the operator does not start before, and kubectl does not know the kind
	c.startOperator()
	return c
}

// startOperator returns at once: kubectl wait waits for what it does.
func (c *cluster) startOperator() {
	c.t.Helper()
	log, err := os.Create(filepath.Join(c.t.TempDir(), "operator.log"))
	if err != nil {
		c.t.Fatal(err)
	}
	// Again, if it loses its Lease while the machine stands still: the kubelet would do that in a cluster.
	operator := exec.Command(filepath.Join(root(c.t), "hack", "kubernetes", "operator"), log.Name())
	operator.Env = append(c.environment, "QUARKUS_HTTP_PORT=0", "FAKEGPU="+fakegpu(c.t))
	operator.Stdout, operator.Stderr = log, log
	if err := operator.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_ = operator.Process.Signal(syscall.SIGTERM)
		_ = operator.Wait()
		_ = log.Close()
		if said, err := os.ReadFile(log.Name()); c.t.Failed() && err == nil {
			c.t.Logf("the operator said:\n%s", said)
		}
	})
}

func (c *cluster) apply(job Job) {
	c.t.Helper()
	file := filepath.Join(c.t.TempDir(), job.Name+".json")
	write(c.t, file, job)
	c.kubectl("apply", "-f", file)
}

func (c *cluster) kubectl(args ...string) string {
	c.t.Helper()
	return run(c.t, c.environment, "kubectl", args...)
}

// await repeats a call of kubectl until it succeeds.
func (c *cluster) await(args ...string) {
	c.t.Helper()
	for end := time.Now().Add(6 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		cmd := exec.Command(lookUp("kubectl", c.environment), args...)
		cmd.Env = c.environment
		out, err := cmd.CombinedOutput()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			c.t.Fatalf("%s: %v: %s", cmd, err, out)
		}
	}
}

// explain returns the first reason why a pod waits, and all that "fakegpu explain" says.
func (c *cluster) explain(pod string) (reason, all string) {
	c.t.Helper()
	cmd := exec.Command(fakegpu(c.t), "explain", "pod", pod, "-o", "json")
	cmd.Env = c.environment
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 { // 3: it is pending
		c.t.Fatalf("%s: %v: %s", cmd, err, out)
	}
	var explained struct {
		Explanations []struct {
			Code string `json:"code"`
		} `json:"explanations"`
	}
	if err := json.Unmarshal(out, &explained); err != nil || len(explained.Explanations) == 0 {
		c.t.Fatalf("%s: %v in %s", cmd, err, out)
	}
	return explained.Explanations[0].Code, string(out)
}

// run fails the test unless the program succeeds.
func run(t *testing.T, environment []string, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(lookUp(program, environment), args...)
	cmd.Env = environment
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s%s", cmd, err, out, said.String())
	}
	return string(out)
}

// lookUp finds a program on the PATH of the environment in which it runs, and not on that of the test.
func lookUp(program string, environment []string) string {
	for i := len(environment) - 1; i >= 0 && !strings.Contains(program, "/"); i-- {
		path, isPath := strings.CutPrefix(environment[i], "PATH=")
		for _, dir := range filepath.SplitList(path) {
			if candidate := filepath.Join(dir, program); isPath && isExecutable(candidate) {
				return candidate
			}
		}
	}
	return program
}

func isExecutable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}
