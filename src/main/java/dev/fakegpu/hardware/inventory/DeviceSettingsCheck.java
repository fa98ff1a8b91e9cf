package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.DevicesSelector;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.HealthSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.RequestPolicySpec;
import dev.fakegpu.api.SharingSpec;
import dev.fakegpu.api.TaintSpec;
import dev.fakegpu.api.TopologySpec;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.hardware.inventory.field.AttributeReader;
import dev.fakegpu.hardware.inventory.field.BindingReader;
import dev.fakegpu.hardware.inventory.field.CapacityReader;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import dev.fakegpu.hardware.inventory.field.PolicyCheck;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.hardware.inventory.field.Syntax;
import dev.fakegpu.hardware.inventory.field.TaintReader;
import dev.fakegpu.util.Suggestion;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Checks the parts of a spec that apply to devices of any hardware; see {@link DeviceSettings}. */
final class DeviceSettingsCheck {

    private static final String PREPARE = "NodePrepareResources";
    private static final String UNPREPARE = "NodeUnprepareResources";
    private static final String ALL_OPERATIONS = "*";
    private static final String WHOLE_GPUS = "partitions.whole: true, and a GPU without static MIG devices";
    private static final String SHARING_MEMORY = "spec.sharing.memory";

    private final FakeGpuSpec spec;
    private final String fakeGpuName;
    private final boolean areGpusNumbered;
    private final Problems problems;

    /** @param areGpusNumbered whether the names of devices contain the index of their GPU */
    DeviceSettingsCheck(FakeGpuSpec spec, String fakeGpuName, boolean areGpusNumbered, Problems problems) {
        this.spec = spec;
        this.fakeGpuName = fakeGpuName;
        this.areGpusNumbered = areGpusNumbered;
        this.problems = problems;
    }

    /** Checks what does not depend on the hardware. */
    void check() {
        NodesSpec nodes = spec.nodes();
        Set<String> faultNames = new HashSet<>();
        if (nodes != null && nodes.nodeSelector() != null) {
            String field = "spec.nodes.nodeSelector";
            if (nodes.nodeSelector().nodeSelectorTerms().size() > 1) {
                problems.add(
                        field + ".nodeSelectorTerms",
                        nodes.nodeSelector().nodeSelectorTerms().size(),
                        "is too many terms",
                        "exactly one");
            }
            NodeSelectorReader.check(field, nodes.nodeSelector(), problems);
        }
        if (nodes != null && nodes.simulated() != null) {
            SimulatedNodesCheck.check("spec.nodes.simulated", nodes.simulated(), fakeGpuName, faultNames, problems);
        }
        checkTopology(spec.topologyOrDefault());
        checkSharing();
        AttributeReader.check("spec.attributes", spec.attributes(), problems);
        for (int i = 0; i < spec.taints().size(); i++) {
            TaintSpec taint = spec.taints().get(i);
            TaintReader.check(
                    "spec.taints[" + i + "]", taint.key(), taint.value(), taint.effect(), taint.timeAdded(), problems);
        }
        for (int i = 0; i < spec.health().size(); i++) {
            HealthSpec health = spec.health().get(i);
            checkXid("spec.health[" + i + "].xid", health.state(), health.xid(), problems);
        }
        FaultSpecCheck.check(spec.faults(), faultNames, problems);
        LoadCheck.check(spec.loadOrDefault(), problems);
        if (spec.binding() != null) {
            BindingReader.check("spec.binding", spec.binding(), problems);
        }
        if (spec.partitionTypeAttribute() != null) {
            String name = spec.partitionTypeAttribute();
            if (!Syntax.FULLY_QUALIFIED_NAME.matches(PartitionTypes.qualified(name, spec.driver()))) {
                problems.unlessMatches(Syntax.FULLY_QUALIFIED_NAME, "spec.partitionTypeAttribute", name);
            }
        }
        checkSkippedOperations(spec.skipNodeOperations());
    }

    private void checkTopology(TopologySpec topology) {
        if (spec.topology() == null) {
            return;
        }
        int gpus = spec.gpusPerNode();
        if (topology.numaNodes() != null && (topology.numaNodes() < 1 || topology.numaNodes() > gpus)) {
            problems.add(
                    "spec.topology.numaNodes",
                    topology.numaNodes(),
                    "is out of range",
                    "1 to " + gpus + ", the number of GPUs");
            return;
        }
        int perRoot = topology.gpusPerPcieRootOrDefault();
        int perNuma = GpuIdentity.gpusPerNumaNode(gpus, topology);
        if (perRoot < 1 || perNuma % perRoot != 0) {
            problems.add(
                    "spec.topology.gpusPerPcieRoot",
                    perRoot,
                    "puts a PCIe root on two NUMA nodes",
                    String.join(
                                    ", ",
                                    IntStream.rangeClosed(1, perNuma)
                                            .filter(divisor -> perNuma % divisor == 0)
                                            .mapToObj(String::valueOf)
                                            .toList())
                            + ": what divides the " + perNuma + " GPUs of a NUMA node");
        }
    }

    private void checkSharing() {
        SharingSpec sharing = spec.sharing();
        if (sharing == null) {
            return;
        }
        problems.ifMissing("spec.sharing.mode", sharing.mode(), "one of " + List.of(SharingSpec.Mode.values()));
        if ((sharing.shares() != null) != (sharing.mode() == SharingSpec.Mode.Shares)) {
            problems.add(
                    "spec.sharing.shares",
                    sharing.shares() == null ? "" : sharing.shares(),
                    sharing.shares() == null ? "is missing" : "goes with mode Shares only",
                    "a number with mode Shares, none otherwise");
        } else if (sharing.shares() != null && sharing.shares() < 1) {
            problems.add("spec.sharing.shares", sharing.shares(), "is out of range", "1 to 1024");
        }
        if (sharing.memory() != null) {
            CapacityReader.check(SHARING_MEMORY, sharing.memory(), problems);
        }
        sharing.requestPolicies().forEach((capacity, policy) -> {
            if (capacity.equals(Sharing.MEMORY)) {
                problems.add(sharingPolicy(capacity), capacity, "must be set in its own field", SHARING_MEMORY);
            }
            CapacityReader.check(sharingPolicy(capacity), policy, problems);
        });
    }

    static void checkXid(String field, HealthSpec.@Nullable State state, @Nullable Integer xid, Problems problems) {
        problems.ifMissing(field.replace(".xid", ".state"), state, "one of " + List.of(HealthSpec.State.values()));
        boolean needsXid = state == HealthSpec.State.XidError || state == HealthSpec.State.XidWarning;
        if (needsXid != (xid != null)) {
            problems.add(
                    field,
                    xid == null ? "" : xid,
                    needsXid ? "is missing" : "says nothing in state " + state,
                    needsXid ? "1 to 999" : "no xid");
        }
    }

    private void checkSkippedOperations(List<String> operations) {
        String field = "spec.skipNodeOperations";
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < operations.size(); i++) {
            String operation = operations.get(i);
            String at = field + "[" + i + "]";
            List<String> known = List.of(PREPARE, UNPREPARE, ALL_OPERATIONS);
            if (!known.contains(operation)) {
                problems.add(
                        at,
                        operation,
                        "is not an operation" + Suggestion.hint(operation, known),
                        String.join(", ", known));
            } else if (operation.equals(ALL_OPERATIONS) && operations.size() > 1) {
                problems.add(at, operation, "stands beside others", "only *, or the operations one by one");
            }
            problems.ifSeen(seen, at, operation, "each once");
        }
        if (seen.equals(Set.of(PREPARE))) {
            problems.add(
                    field,
                    PREPARE,
                    "is skipped without " + UNPREPARE + ": what was not prepared cannot be unprepared",
                    "both, or *");
        }
    }

    /** Checks what depends on the hardware, such as device names in selectors. */
    void check(Inventory hardware) {
        var settings = new DeviceSettings(spec, null);
        for (int i = 0; i < spec.taints().size(); i++) {
            checkSelector("spec.taints[" + i + "].devices", spec.taints().get(i).selected(), hardware, settings);
        }
        for (int i = 0; i < spec.health().size(); i++) {
            checkSelector("spec.health[" + i + "].devices", spec.health().get(i).selected(), hardware, settings);
        }
        for (int i = 0; i < spec.faults().size(); i++) {
            checkSelector("spec.faults[" + i + "].devices", spec.faults().get(i).selected(), hardware, settings);
        }
        if (spec.sharing() != null) {
            checkSharing(spec.sharing(), hardware);
        }
        if (spec.partitionTypeAttribute() != null) {
            PartitionTypes.check(spec.partitionTypeAttribute(), spec.driver(), settings.applyTo(hardware), problems);
        }
    }

    private static String sharingPolicy(String capacity) {
        return "spec.sharing.requestPolicies[" + capacity + "]";
    }

    private void checkSharing(SharingSpec sharing, Inventory hardware) {
        if (hardware.devices().stream().noneMatch(Sharing::covers)) {
            problems.add(
                    "spec.sharing",
                    String.valueOf(sharing.mode()),
                    "needs whole GPUs, MIG devices or equal parts, but there are none",
                    "partitions.whole: true, or partitions.mig");
            return;
        }
        // Equal parts come before the GPU that they divide, so this device is one of the smallest.
        Optional<Device> smallest =
                hardware.devices().stream().filter(Sharing::isConfigurable).findFirst();
        if (sharing.memory() != null) {
            checkPolicy(SHARING_MEMORY, Sharing.MEMORY, sharing.memory(), smallest);
        }
        sharing.requestPolicies()
                .forEach((capacity, policy) -> checkPolicy(sharingPolicy(capacity), capacity, policy, smallest));
    }

    private void checkPolicy(String field, String capacity, RequestPolicySpec policy, Optional<Device> device) {
        if (device.isEmpty()) {
            problems.add(field, capacity, "applies to whole GPUs and equal parts, but there are none", WHOLE_GPUS);
            return;
        }
        Map<String, DeviceCapacity> capacities = device.get().capacity();
        DeviceCapacity known = capacities.get(capacity);
        if (known == null) {
            problems.add(
                    field,
                    capacity,
                    "is not a capacity of " + device.get().name() + Suggestion.hint(capacity, capacities.keySet()),
                    Problems.oneOf(capacities.keySet(), "none"));
        } else {
            new PolicyCheck(field, known.value(), problems).check(CapacityReader.read(policy));
        }
    }

    private void checkSelector(String field, DevicesSelector selector, Inventory hardware, DeviceSettings settings) {
        int before = problems.count();
        checkNodes(field + ".nodes", selector.nodes());
        checkGpus(field + ".gpus", selector.gpus(), hardware);
        Set<String> names = new TreeSet<>();
        Set<String> types = new TreeSet<>();
        hardware.devices().forEach(device -> {
            names.add(device.name());
            types.add(DeviceSettings.type(device));
        });
        types.remove("");
        checkKnown(field + ".names", selector.names(), names, "is not a device");
        checkKnown(field + ".types", selector.types(), types, "is the type of no device");
        if (problems.count() == before && !settings.selectsAny(selector, hardware)) {
            problems.add(field, "", "selects no device", "lists that a device is in together");
        }
    }

    private void checkGpus(String field, List<Long> gpus, Inventory hardware) {
        if (!gpus.isEmpty() && spec.custom() != null) {
            problems.add(field, gpus.get(0), "goes with model only", "names or types of custom devices");
            return;
        }
        if (!gpus.isEmpty() && !areGpusNumbered) {
            String model = String.valueOf(spec.model());
            problems.add(field, gpus.get(0), "does not go with model " + model, "names or types of its devices");
            return;
        }
        for (int i = 0; i < gpus.size(); i++) {
            if (gpus.get(i) < 0 || gpus.get(i) >= hardware.gpus()) {
                problems.add(
                        field + "[" + i + "]",
                        gpus.get(i),
                        "is not a GPU",
                        hardware.gpus() == 1 ? "0" : "0 to " + (hardware.gpus() - 1));
            }
        }
    }

    private void checkKnown(String field, List<String> written, Set<String> known, String problem) {
        for (int i = 0; i < written.size(); i++) {
            if (!known.contains(written.get(i))) {
                problems.add(
                        field + "[" + i + "]",
                        written.get(i),
                        problem + Suggestion.hint(written.get(i), known),
                        Problems.oneOf(known, "none, for no device has one"));
            }
        }
    }

    private void checkNodes(String field, List<String> written) {
        @Nullable NodesSpec nodes = spec.nodes();
        for (int i = 0; i < written.size(); i++) {
            String at = field + "[" + i + "]";
            if (nodes != null && nodes.isNetworkAttached()) {
                problems.add(at, written.get(i), "is a node, and network-attached devices are on none", "no nodes");
            } else if (nodes != null
                    && !nodes.names().isEmpty()
                    && !nodes.names().contains(written.get(i))) {
                problems.add(
                        at,
                        written.get(i),
                        "is not among spec.nodes.names" + Suggestion.hint(written.get(i), nodes.names()),
                        Problems.oneOf(nodes.names(), "none"));
            } else if (nodes != null && nodes.simulated() != null) {
                checkSimulated(at, written.get(i), nodes.simulated().count());
            } else {
                problems.unlessMatches(Syntax.NODE_NAME, at, written.get(i));
            }
        }
    }

    private void checkSimulated(String field, String written, int count) {
        List<String> names = IntStream.range(0, count)
                .mapToObj(index -> fakeGpuName + "-node-" + index)
                .toList();
        if (!names.contains(written)) {
            problems.add(
                    field,
                    written,
                    "is not a simulated node of this FakeGpu" + Suggestion.hint(written, names),
                    names.get(0) + (count == 1 ? "" : " to " + names.get(count - 1)));
        }
    }
}
