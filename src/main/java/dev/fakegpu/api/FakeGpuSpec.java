package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What GPUs there are. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.model) != has(self.custom)",
        message =
                "exactly one of model and custom must be set: model takes the hardware from the catalog, custom writes it out")
@ValidationRule(
        value = "!has(self.custom) || (!has(self.count) && !has(self.partitions))",
        message = "count and partitions go with model only: custom lists its devices one by one")
@ValidationRule(
        value = "!has(self.custom) || (!has(self.sharing) && !has(self.topology))",
        message = "sharing and topology go with model only: custom says it of each device")
@ValidationRule(
        value = "has(self.model) || !has(self.modelOverrides)",
        message = "modelOverrides goes with model only: it changes what the catalog says")
@ValidationRule(
        value = "(has(self.compatibility) && self.compatibility == 'Custom') == (has(self.compatibilityGroups) &&"
                + " has(self.compatibilityGroups.names))",
        message = "compatibility: Custom and compatibilityGroups.names go together")
@ValidationRule(
        value = "!has(self.custom) || !has(self.compatibility) || self.compatibility != 'Custom'",
        message = "compatibility: Custom goes with model only: custom names the groups of each device")
public record FakeGpuSpec(
        @JsonPropertyDescription(
                "Name of the DRA driver that seems to publish the devices: a DNS subdomain of at most 63 characters. Set it to"
                        + " gpu.nvidia.com to make manifests written for NVIDIA's driver work. Default: gpu.example.com.")
        @Default(FakeGpuSpec.DEFAULT_DRIVER)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$") @Size(min = 1, max = 63) String driver,

        @JsonPropertyDescription(
                "Who gives the devices away. Companion (default): this operator does, for pods with schedulerName"
                        + " fakegpu-scheduler and claims labelled fakegpu.dev/allocate=true; a device taint keeps kube-scheduler off."
                        + " KubeScheduler: kube-scheduler does, and the companion keeps off.")
        @Default("Companion")
        AllocatorName allocator,

        @JsonPropertyDescription("Where the GPUs are: exactly one of names, selector, simulated, all and nodeSelector.")
        @Required
        NodesSpec nodes,

        @JsonPropertyDescription(
                "Name of a GPU model in the catalog, for example A100-SXM4-40GB, H100-80GB-HBM3 or L40S, or of one that"
                        + " a ConfigMap adds. Either model or custom must be set.")
        @Size(min = 1, max = 63) @Nullable String model,

        @JsonPropertyDescription(
                "Any part of the model's catalog entry, in the format of the catalog's files, to be merged over it. Profiles and"
                        + " types are matched by their names.")
        @PreserveUnknownFields
        @Nullable ObjectNode modelOverrides,

        @JsonPropertyDescription("Number of GPUs of that model on each node, 1 (default) to 64.")
        @Min(1) @Max(MAX_COUNT) @Nullable Integer count,

        @JsonPropertyDescription(
                "What is offered of each GPU of the model. All of it shares one counter set per GPU. Default: the whole GPU only.")
        @Nullable PartitionsSpec partitions,

        @JsonPropertyDescription(
                "Whether devices carry KEP-5963 compatibility groups. ByScheme (default): each partitioning scheme has its group"
                        + " (gpu-full, mig, vgpu-<size>, vgpu, vgpu-mig, vfio), or the groups written in custom. None: no groups are published, so an"
                        + " allocator cannot see what excludes what; preparing an incompatible device then fails, because the"
                        + " hardware behind it stays the same. Custom: the groups in compatibilityGroups.names; the hardware stays"
                        + " the same here, too.")
        @Default("ByScheme")
        Compatibility compatibility,

        @JsonPropertyDescription("How compatibility groups are published.") @Nullable CompatibilityGroupsSpec compatibilityGroups,

        @JsonPropertyDescription(
                "Whether DeviceClasses for the driver are created. Managed (default): one for whole GPUs (<driver>), one for MIG"
                        + " devices, one for vGPUs and one for VFIO devices, or a single one named like the driver for custom hardware. Unmanaged: none.")
        @Default("Managed")
        DeviceClasses deviceClasses,

        @JsonPropertyDescription(
                "When devices that a ResourceClaim holds follow a change. WhenReleased (default): they keep their names, groups and"
                        + " counters until they are released, and condition ChangesPending says so. Immediate: at once.")
        @Default("WhenReleased")
        UpdatePolicy updatePolicy,

        @JsonPropertyDescription("What the pools are called.") @Nullable PoolSpec pool,

        @JsonPropertyDescription(
                "Any hardware: counter sets and devices written out, with their groups. Either model or custom must be set.")
        @Nullable CustomSpec custom,

        @JsonPropertyDescription(
                "Whole GPUs that several claims share, each taking a part (KEP-5075). All partitions stay excluded meanwhile."
                        + " Default: a GPU is for one claim.")
        @Nullable SharingSpec sharing,

        @JsonPropertyDescription(
                "NUMA nodes and PCIe roots of the GPUs, published as resource.kubernetes.io/numaNode and resource.kubernetes.io/pcieRoot"
                        + ", so that claims can ask for GPUs that are close to each other (matchAttribute).")
        @Nullable TopologySpec topology,

        @JsonPropertyDescription(
                "Attributes of every device by name, beside its own or instead of them. At most 32 attributes and capacities"
                        + " together.")
        @Size(max = 32) Map<String, AttributeSpec> attributes,

        @JsonPropertyDescription("Device taints, at most 64; at most 16 on a device.") @Size(max = 64) List<TaintSpec> taints,

        @JsonPropertyDescription("Devices that are not well, at most 64. They get the vendor's taints.") @Size(max = 64) List<HealthSpec> health,

        @JsonPropertyDescription(
                "What all devices ask for between allocation and binding (KEP-5007). Default: nothing.")
        @Nullable BindingSpec binding,

        @JsonPropertyDescription(
                "Name of the attribute that says what kind of partition a device is, for example type or profile; every device that"
                        + " consumes counters must have it as a string. A name without a domain is the driver's. Needs the API server's"
                        + " feature gate DRAPartitionableDevicesType.")
        @Size(min = 1, max = 96) @Nullable String partitionTypeAttribute,

        @JsonPropertyDescription(
                "The kubelet's calls that the devices need none of: NodeUnprepareResources, with or without NodePrepareResources, or"
                        + " * for all (KEP-5945). Needs the API server's feature gate DRAOptionalNodeOperations.")
        @Size(max = 2) List<String> skipNodeOperations,

        @JsonPropertyDescription(
                "What goes wrong on purpose, at most 16: when the kubelet prepares or unprepares claims, or with devices at a"
                        + " moment. Removed from here, a fault is healed.")
        @Size(max = 16) List<FaultSpec> faults) {

    public static final String DEFAULT_DRIVER = "gpu.example.com";
    public static final int MAX_COUNT = 64;

    /** Who allocates the devices. */
    public enum AllocatorName {
        Companion,
        KubeScheduler
    }

    /** Which compatibility groups are published. */
    public enum Compatibility {
        ByScheme,
        None,
        Custom
    }

    /** Who creates DeviceClasses. */
    public enum DeviceClasses {
        Managed,
        Unmanaged
    }

    /** When a change reaches devices that are in use. */
    public enum UpdatePolicy {
        WhenReleased,
        Immediate
    }

    public FakeGpuSpec {
        driver = Objects.requireNonNullElse(driver, DEFAULT_DRIVER);
        allocator = Objects.requireNonNullElse(allocator, AllocatorName.Companion);
        compatibility = Objects.requireNonNullElse(compatibility, Compatibility.ByScheme);
        updatePolicy = Objects.requireNonNullElse(updatePolicy, UpdatePolicy.WhenReleased);
        deviceClasses = Objects.requireNonNullElse(deviceClasses, DeviceClasses.Managed);
        attributes = attributes == null ? Map.of() : attributes;
        taints = taints == null ? List.of() : List.copyOf(taints);
        health = health == null ? List.of() : List.copyOf(health);
        faults = faults == null ? List.of() : List.copyOf(faults);
        skipNodeOperations = skipNodeOperations == null ? List.of() : List.copyOf(skipNodeOperations);
    }

    /** The same with other health and taints. */
    public FakeGpuSpec with(List<HealthSpec> otherHealth, List<TaintSpec> otherTaints) {
        return new FakeGpuSpec(
                driver,
                allocator,
                nodes,
                model,
                modelOverrides,
                count,
                partitions,
                compatibility,
                compatibilityGroups,
                deviceClasses,
                updatePolicy,
                pool,
                custom,
                sharing,
                topology,
                attributes,
                otherTaints,
                otherHealth,
                binding,
                partitionTypeAttribute,
                skipNodeOperations,
                faults);
    }

    /** GPUs per node: {@code count} with its default. */
    public int gpusPerNode() {
        return count == null ? 1 : count;
    }

    /** {@code topology} with its default. */
    public TopologySpec topologyOrDefault() {
        return topology == null ? TopologySpec.DEFAULT : topology;
    }

    /** {@code compatibilityGroups.names}, with {@code compatibility: Custom} only. */
    public CompatibilityGroupsSpec.@Nullable Names groupNames() {
        return compatibility == Compatibility.Custom && compatibilityGroups != null
                ? compatibilityGroups.names()
                : null;
    }

    /** {@code pool.name} with its default. */
    public String poolNameTemplate() {
        return pool == null ? PoolSpec.DEFAULT_NAME : pool.name();
    }

    /** {@code partitions} with its default. */
    public PartitionsSpec partitionsOrDefault() {
        return partitions == null ? PartitionsSpec.WHOLE_GPU : partitions;
    }
}
