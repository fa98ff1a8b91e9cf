package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// A rejection is what the kubelet writes to the status of a pod that it does not admit.
type rejection struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// admit asks the kubelet's handler, without device plugins and without preemption for critical pods.
func admit(ctx context.Context, p *problem) answer {
	handler := lifecycle.NewPredicateAdmitHandler(
		func(context.Context, bool) (*v1.Node, error) { return p.Node.DeepCopy(), nil },
		unrecovered{},
		func(*framework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil },
	)
	result := handler.Admit(ctx, &lifecycle.PodAdmitAttributes{Pod: &p.Pod, OtherPods: p.Pods, Operation: lifecycle.AddOperation})
	if result.Admit {
		return answer{Name: p.Name, Outcome: "fits"}
	}
	return answer{Name: p.Name, Outcome: "refused", Rejection: &rejection{Reason: result.Reason, Message: result.Message}}
}

type unrecovered struct{}

func (unrecovered) HandleAdmissionFailure(_ context.Context, _ *v1.Pod, reasons []lifecycle.PredicateFailureReason, _ lifecycle.Operation) ([]lifecycle.PredicateFailureReason, error) {
	return reasons, nil
}
