package main

import (
	"context"
	"fmt"
	"time"
	"unique"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/scheduling/dynamicresources"
)

// What Allocate says where the claims are understood, and nothing fits. Every other error is about something that it does not do.
const nothingFits = "no instance type can satisfy the allocation"

var instanceType = unique.Make("existing-node")

func allocate(p *problem, timeout time.Duration) (a answer) {
	a = answer{Name: p.Name}
	defer func() {
		if r := recover(); r != nil {
			a.Outcome, a.Error = "panic", fmt.Sprint(r)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	allocator := dynamicresources.NewAllocator(
		inCluster(p.Slices), p.State.seed(), dynamicresources.AttributeBindings{}, classReader{classes: p.Classes}, nil)
	result, err := allocator.Allocate(ctx, existingNode{&p.Node}, p.Claims)
	switch {
	case err == nil:
		a.Outcome, a.Results = "allocated", results(ctx, allocator, result, p.Claims)
	case err.Error() == nothingFits && ctx.Err() == nil:
		a.Outcome = "none"
	default:
		a.Outcome, a.Error, a.TimedOut = "error", err.Error(), ctx.Err() != nil
	}
	return a
}

// results commits the allocation, since only then the devices can be seen.
func results(ctx context.Context, allocator *dynamicresources.Allocator, result *dynamicresources.AllocationResult, claims []*resourcev1.ResourceClaim) []resourcev1.AllocationResult {
	if result.Allocation != nil {
		result.Allocation.Commit(ctx)
	}
	allocations := []resourcev1.AllocationResult{}
	for _, claim := range claims {
		var allocation resourcev1.AllocationResult
		key := types.NamespacedName{Namespace: claim.Namespace, Name: claim.Name}
		if metadata := allocator.ResourceClaimAllocationMetadataForClaim(key); metadata != nil {
			for _, device := range metadata.Devices[instanceType] {
				allocation.Devices.Results = append(allocation.Devices.Results, resourcev1.DeviceRequestAllocationResult{
					Request:          device.RequestName.String(),
					Driver:           device.DeviceID.Driver.Value(),
					Pool:             device.DeviceID.Pool.Value(),
					Device:           device.DeviceID.Device.Value(),
					ConsumedCapacity: device.ConsumedCapacity,
				})
			}
		}
		allocations = append(allocations, allocation)
	}
	return allocations
}

// existingNode is a node that is there and initialized: its devices are those of published slices.
type existingNode struct{ node *corev1.Node }

func (n existingNode) ID() dynamicresources.NodeClaimID        { return unique.Make(n.node.Name) }
func (n existingNode) NodeName() string                        { return n.node.Name }
func (n existingNode) NodePoolID() dynamicresources.NodePoolID { return unique.Make("") }
func (n existingNode) Requirements() scheduling.Requirements {
	return scheduling.NewLabelRequirements(n.node.Labels)
}
func (n existingNode) InstanceTypes() []dynamicresources.InstanceTypeID {
	return []dynamicresources.InstanceTypeID{instanceType}
}
func (n existingNode) ResourceSlices() map[dynamicresources.InstanceTypeID][]dynamicresources.ResourceSlice {
	return nil
}

// classReader is a client that knows the DeviceClasses of a problem; nothing else is read.
type classReader struct {
	client.Client
	classes []*resourcev1.DeviceClass
}

func (r classReader) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	for _, class := range r.classes {
		if class.Name == key.Name {
			class.DeepCopyInto(into.(*resourcev1.DeviceClass))
			return nil
		}
	}
	return apierrors.NewNotFound(resourcev1.Resource("deviceclasses"), key.Name)
}
