package batch

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// In memory, in a second: what would become of the jobs.
func TestJobsFitOnOneGPU(t *testing.T) {
	played := simulate(t,
		Job{Name: "train-a", Image: "trainer:1", Profile: "3g.20gb"},
		Job{Name: "train-b", Image: "trainer:1", Profile: "3g.20gb"},
		Job{Name: "train-c", Image: "trainer:1", Profile: "3g.20gb"})

	for _, name := range []string{"train-a", "train-b"} {
		if pod := played.pod(t, name); pod.Phase != "Running" || pod.Node != "gpus-node-0" {
			t.Errorf("%s is %s on %q: %s", name, pod.Phase, pod.Node, pod.Waiting.Sentence)
		}
	}
	waiting := played.pod(t, "train-c").Waiting
	if waiting.Reason != "DevicesInUse" || !strings.Contains(waiting.Sentence, "; delete pod ") {
		t.Errorf("train-c waits because of %s: %s", waiting.Reason, waiting.Sentence)
	}
}

// On a real control plane with the operator, in which kubectl and the jobs' own tools can be used.
func TestJobRunsInACluster(t *testing.T) {
	c := startCluster(t)
	c.kubectl("apply", "-f", "testdata/gpus.yaml")
	c.kubectl("wait", "--for=condition=Ready", "fakegpu/gpus", "--timeout=360s")

	c.apply(Job{Name: "train", Image: "trainer:1", Profile: "1g.5gb"})
	c.apply(Job{Name: "unknown", Image: "trainer:1", Profile: "7g.40gb"})

	c.kubectl("wait", "--for=jsonpath={.status.phase}=Running", "pod/train", "--timeout=360s")
	device := c.kubectl("get", "resourceclaim", "train", "-o", "jsonpath={.status.allocation.devices.results[0].device}")
	if !strings.HasPrefix(device, "gpu-0-mig-1g5gb-") {
		t.Errorf("train holds %q", device)
	}
	c.kubectl("wait", "--for=condition=PodScheduled=false", "pod/unknown", "--timeout=360s")
	reason, explanation := c.explain("unknown")
	if reason != "NoMatchingDevice" {
		t.Errorf("unknown waits because of %q: %s", reason, explanation)
	}
}

type played struct {
	Pods []playedPod `json:"pods"`
}

type playedPod struct {
	Name    string `json:"name"`
	Phase   string `json:"phase"`
	Node    string `json:"node"`
	Waiting struct {
		Reason   string `json:"reason"`
		Sentence string `json:"sentence"`
	} `json:"waiting"`
}

func (p played) pod(t *testing.T, name string) playedPod {
	t.Helper()
	for _, pod := range p.Pods {
		if pod.Name == name {
			return pod
		}
	}
	t.Fatalf("there is no pod %s in %+v", name, p)
	return playedPod{}
}

// simulate plays the jobs' manifests with "fakegpu simulate".
func simulate(t *testing.T, jobs ...Job) played {
	t.Helper()
	dir := t.TempDir()
	for _, job := range jobs {
		write(t, filepath.Join(dir, job.Name+".json"), job)
	}
	cmd := exec.Command(fakegpu(t), "simulate", "-f", "testdata/gpus.yaml", "-f", dir, "-o", "json")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	var result played
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("%s: %v in %s", cmd, err, out)
	}
	return result
}

func write(t *testing.T, file string, job Job) {
	t.Helper()
	manifest, err := job.Manifest()
	if err == nil {
		err = os.WriteFile(file, manifest, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
