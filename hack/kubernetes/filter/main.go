// Command filter asks two plugins of kube-scheduler whether a pod fits a node: NodeResourcesFit, and then DynamicResources with
// DRANodeAllocatableResources, which also counts what the devices of the pod's claims take of the node (KEP-5517). For problems that say so,
// it asks the kubelet whether it admits the pod instead. It reads
// problems from standard input, one JSON value after the other, and writes one line of JSON for each. Pods get the defaults of the API server first.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
)

// An answer says whether the pod fits the node: "fits", "refused" or "error". The reasons are the plugins' own, the rejection is the kubelet's.
type answer struct {
	Name      string                                  `json:"name"`
	Outcome   string                                  `json:"outcome"`
	Reasons   []string                                `json:"reasons,omitempty"`
	Uses      []v1.NodeAllocatableResourceClaimStatus `json:"uses,omitempty"`
	Rejection *rejection                              `json:"rejection,omitempty"`
}

type plugin interface {
	fwk.PreFilterPlugin
	fwk.FilterPlugin
}

func main() {
	klog.SetLogger(klog.Logger{}) // what they log is in their answers, too
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "filter:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	// The plugins are told; what pods of a node request asks the gate itself.
	if err := utilfeature.DefaultMutableFeatureGate.Set("DRANodeAllocatableResources=true"); err != nil {
		return err
	}
	ctx := context.Background()
	handle := newHandle()
	plugins, err := newPlugins(ctx, handle)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	encoder := json.NewEncoder(out) // does not buffer
	for {
		p := new(problem)
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := p.setDefaults(); err != nil {
			return err
		}
		handle.problem = p
		if err := encoder.Encode(ask(ctx, plugins, p)); err != nil {
			return err
		}
	}
}

func newPlugins(ctx context.Context, h *handle) ([]plugin, error) {
	features := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	fit, err := noderesources.NewFit(ctx, &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{
		Type:      config.LeastAllocated,
		Resources: []config.ResourceSpec{{Name: "cpu", Weight: 1}, {Name: "memory", Weight: 1}},
	}}, h, features)
	if err != nil {
		return nil, err
	}
	dynamic, err := dynamicresources.New(ctx, &config.DynamicResourcesArgs{}, h, features)
	if err != nil {
		return nil, err
	}
	return []plugin{fit.(plugin), dynamic.(plugin)}, nil
}

func ask(ctx context.Context, plugins []plugin, p *problem) answer {
	if p.Admission {
		return admit(ctx, p)
	}
	node := framework.NewNodeInfo(p.Pods...)
	node.SetNode(&p.Node)
	state := framework.NewCycleState()
	for _, each := range plugins {
		_, status := each.PreFilter(ctx, state, &p.Pod, []fwk.NodeInfo{node})
		if status.IsSuccess() {
			status = each.Filter(ctx, state, &p.Pod, node)
		}
		if !status.IsSuccess() && !status.IsSkip() {
			return refused(p, status)
		}
	}
	uses := dynamicresources.ExtractPodNodeAllocatableResourceClaimStatus(klog.FromContext(ctx), state, p.Node.Name)
	return answer{Name: p.Name, Outcome: "fits", Uses: uses}
}

func refused(p *problem, status *fwk.Status) answer {
	outcome := "refused"
	if status.Code() == fwk.Error {
		outcome = "error"
	}
	return answer{Name: p.Name, Outcome: outcome, Reasons: status.Reasons()}
}
