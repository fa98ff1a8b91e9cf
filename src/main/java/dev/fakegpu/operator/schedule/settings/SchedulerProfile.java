package dev.fakegpu.operator.schedule.settings;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.PlacementFields;
import dev.fakegpu.cluster.fit.UnsupportedFields;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.watch.ParsedSlices;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The differences between the schedulers that are built from the parts of this package. */
public enum SchedulerProfile {
    COMPANION(Labels.SCHEDULER_NAME, AllocatorName.Companion) {
        @Override
        public boolean allocatesWithoutPods() {
            return true;
        }

        @Override
        public boolean allocatesForBoundPods() {
            return true;
        }

        @Override
        List<DeviceToleration> tolerations() {
            var taint = Labels.COMPANION_TAINT;
            return List.of(new DeviceToleration(taint.key(), "Equal", taint.value(), taint.effect(), null));
        }

        /** Groups in the annotation count only if the gate is on: a scheduler without the feature does not read annotations. */
        @Override
        public Function<ResourceSlice, Slice> reader(ParsedSlices parsed, GroupsGate gate) {
            return gate == GroupsGate.ON ? parsed::withGroups : parsed::asStored;
        }

        @Override
        public boolean recordsGroups() {
            return true;
        }

        @Override
        public Optional<String> refusal(Pod pod, UnsupportedFields setting) {
            return PlacementFields.refusal(pod, setting);
        }

        @Override
        public boolean sharesTime() {
            return true;
        }

        @Override
        public int nodesToFind(int all) {
            return 1;
        }

        @Override
        public boolean considersOtherPods() {
            return false;
        }

        @Override
        public boolean reservesForEachUse() {
            return false;
        }

        @Override
        public boolean reportsErrors() {
            return false;
        }
    },

    /** Plays kube-scheduler in a cluster in memory; it never runs next to a real one. */
    KUBE_SCHEDULER("default-scheduler", AllocatorName.KubeScheduler) {
        @Override
        public boolean allocatesWithoutPods() {
            return false;
        }

        @Override
        public boolean allocatesForBoundPods() {
            return false;
        }

        @Override
        List<DeviceToleration> tolerations() {
            return List.of();
        }

        @Override
        public Function<ResourceSlice, Slice> reader(ParsedSlices parsed, GroupsGate gate) {
            return parsed::asStored;
        }

        /** Returns false, because the simulated kubelet records them when it prepares a claim. */
        @Override
        public boolean recordsGroups() {
            return false;
        }

        @Override
        public Optional<String> refusal(Pod pod, UnsupportedFields setting) {
            return Optional.empty();
        }

        @Override
        public boolean sharesTime() {
            return false;
        }

        /** Upstream: {@code numFeasibleNodesToFind} of {@code pkg/scheduler/schedule_one.go}, with the default percentage. */
        @Override
        public int nodesToFind(int all) {
            int percentage = Math.max(MIN_PERCENTAGE, 50 - all / 125);
            return Math.min(all, Math.max(MIN_NODES, all * percentage / 100));
        }

        @Override
        public boolean considersOtherPods() {
            return true;
        }

        /** Upstream: {@code bindClaim} of {@code plugins/dynamicresources/dynamicresources.go}. */
        @Override
        public boolean reservesForEachUse() {
            return true;
        }

        @Override
        public boolean reportsErrors() {
            return true;
        }
    };

    private static final int MIN_NODES = 100;
    private static final int MIN_PERCENTAGE = 5;

    private final String schedulerName;
    private final AllocatorName allocator;

    SchedulerProfile(String schedulerName, AllocatorName allocator) {
        this.schedulerName = schedulerName;
        this.allocator = allocator;
    }

    /** The value of {@code spec.schedulerName} of its pods. */
    public String schedulerName() {
        return schedulerName;
    }

    /** Whether the pod's {@code spec.schedulerName} is this scheduler. */
    public boolean isFor(Pod pod) {
        return schedulerName.equals(pod.getSpec().getSchedulerName());
    }

    /** The value of {@code spec.allocator} of FakeGpus whose devices this scheduler allocates. */
    public AllocatorName allocator() {
        return allocator;
    }

    /** Whether it allocates claims with the label {@link Labels#ALLOCATE}. */
    public abstract boolean allocatesWithoutPods();

    /** Whether it allocates the claims of pods that were created with a node name. */
    public abstract boolean allocatesForBoundPods();

    /** The device taints that it ignores. */
    abstract List<DeviceToleration> tolerations();

    /** A function that parses slices. */
    public abstract Function<ResourceSlice, Slice> reader(ParsedSlices parsed, GroupsGate gate);

    /** Whether it writes the groups of allocated devices into the claim's status. */
    public abstract boolean recordsGroups();

    /** Why it does not place a pod because of its fields; empty if it does. */
    public abstract Optional<String> refusal(Pod pod, UnsupportedFields setting);

    /** Whether it gives namespaces equal shares of its time, instead of ordering pods only by priority. */
    public abstract boolean sharesTime();

    /**
     * The number of nodes with devices that it finds before it chooses one.
     *
     * @param all the number of nodes in the cluster
     */
    public abstract int nodesToFind(int all);

    /**
     * Whether it considers where other pods run, and chooses the node with the highest score instead of the first one with the best
     * alternatives.
     */
    public abstract boolean considersOtherPods();

    /**
     * Whether it reserves a claim once for each time that the pod names it; the API server refuses duplicates, so the pod is never bound.
     */
    public abstract boolean reservesForEachUse();

    /** Whether the condition of a pod says that an error ended the attempt, such as a selector that fails on a device. */
    public abstract boolean reportsErrors();
}
