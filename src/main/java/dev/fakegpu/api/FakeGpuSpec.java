package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.Limits;
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

/** The GPUs to publish. */
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
                "Name of the DRA driver that the devices are published for: a DNS subdomain of at most 63 characters. Set"
                        + " it to gpu.nvidia.com to use manifests that were written for NVIDIA's driver. Default: gpu.example.com.")
        @Default(FakeGpuSpec.DEFAULT_DRIVER)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$") @Size(min = 1, max = Limits.DRIVER_NAME) String driver,

        @JsonPropertyDescription(
                "What allocates the devices. Companion (default): this operator's own scheduler, for pods with"
                        + " schedulerName fakegpu-scheduler and for claims labeled fakegpu.dev/allocate=true; a device taint keeps"
                        + " kube-scheduler from using the devices. KubeScheduler: kube-scheduler; the companion ignores the devices.")
        @Default("Companion")
        AllocatorName allocator,

        @JsonPropertyDescription(
                "The nodes that have the GPUs: exactly one of names, selector, simulated, all and nodeSelector.")
        @Required
        NodesSpec nodes,

        @JsonPropertyDescription(
                "Name of a GPU model in the catalog, for example A100-SXM4-40GB, H100-80GB-HBM3 or L40S, or of a model"
                        + " that a ConfigMap adds. Other names for it, such as the product name, are accepted too;"
                        + " `fakegpu models` lists them. Exactly one of model and custom must be set.")
        @Size(min = 1, max = 63) @Nullable String model,

        @JsonPropertyDescription(
                "Any part of the model's catalog entry, in the format of the catalog files, merged over that entry."
                        + " Profiles and types are matched by name. Only with model.")
        @PreserveUnknownFields
        @Nullable ObjectNode modelOverrides,

        @JsonPropertyDescription("Number of GPUs on each node, 1 (default) to 64. Only with model.")
        @Min(1) @Max(MAX_COUNT) @Nullable Integer count,

        @JsonPropertyDescription(
                "The devices that are published for each GPU: the whole GPU and its partitions. All devices of a GPU share"
                        + " one counter set. Default: only the whole GPU. Only with model.")
        @Nullable PartitionsSpec partitions,

        @JsonPropertyDescription(
                "Which KEP-5963 compatibility groups are published. A partitioning scheme is a way to use a GPU that excludes the"
                        + " others: whole, MIG, time-sliced vGPU, MIG-backed vGPU or VFIO passthrough. ByScheme (default): the"
                        + " devices of each scheme declare that scheme's group (gpu-full, mig, vgpu-<size> or vgpu, vgpu-mig, vfio);"
                        + " custom devices declare the groups in spec.custom. None: no groups. Custom: the groups in"
                        + " compatibilityGroups.names. Only what is published changes, not the modeled hardware: if incompatible"
                        + " devices are allocated together, preparing the second one fails.")
        @Default("ByScheme")
        Compatibility compatibility,

        @JsonPropertyDescription(
                "The names of compatibility groups, and whether they are written into the ResourceSlices.")
        @Nullable CompatibilityGroupsSpec compatibilityGroups,

        @JsonPropertyDescription(
                "Whether the operator creates DeviceClasses for the driver. Managed (default): one each for whole GPUs"
                        + " (<driver>), MIG devices, vGPUs and VFIO devices; with custom, one class with the name of the driver."
                        + " Unmanaged: none.")
        @Default("Managed")
        DeviceClasses deviceClasses,

        @JsonPropertyDescription(
                "When a change of the spec reaches devices that are allocated to a ResourceClaim. WhenReleased (default):"
                        + " they keep their names, groups and counters until they are released; meanwhile the condition"
                        + " ChangesPending is True. Immediate: at once.")
        @Default("WhenReleased")
        UpdatePolicy updatePolicy,

        @JsonPropertyDescription("How the pools are named.") @Nullable PoolSpec pool,

        @JsonPropertyDescription(
                "Hardware that is not in the catalog: its counter sets and devices, with their groups. Exactly one of"
                        + " model and custom must be set.")
        @Nullable CustomSpec custom,

        @JsonPropertyDescription(
                "Allows several claims to share a whole GPU, a MIG device or an equal part, each consuming a part of its capacity"
                        + " (KEP-5075). Partitions of a GPU cannot be allocated while the whole GPU is shared. Default: a device is"
                        + " not shared. Only with model.")
        @Nullable SharingSpec sharing,

        @JsonPropertyDescription(
                "NUMA nodes and PCIe roots of the GPUs, published as the attributes resource.kubernetes.io/numaNode and"
                        + " resource.kubernetes.io/pcieRoot, and fabric partitions, so that claims can request GPUs close to each"
                        + " other (matchAttribute). Only with model.")
        @Nullable TopologySpec topology,

        @JsonPropertyDescription(
                "Attributes by name, added to every device; they override attributes of the same name. At most 32"
                        + " attributes and capacities together.")
        @Size(max = Limits.ATTRIBUTES_AND_CAPACITIES) Map<String, AttributeSpec> attributes,

        @JsonPropertyDescription("Taints of devices. At most 64 entries, and at most 16 taints on one device.")
        @Size(max = 64) List<TaintSpec> taints,

        @JsonPropertyDescription(
                "Devices with health problems, at most 64 entries. They get the taints that NVIDIA's driver sets.")
        @Size(max = 64) List<HealthSpec> health,

        @JsonPropertyDescription(
                "Binding conditions of all devices (KEP-5007): conditions that must be true before a pod is bound."
                        + " Default: none.")
        @Nullable BindingSpec binding,

        @JsonPropertyDescription(
                "Name of the attribute that says what kind of partition a device is, for example type. Every device that"
                        + " consumes counters must have it as a string. A name without a domain belongs to the driver. Kubernetes"
                        + " 1.37's ResourcePoolStatusRequest summarizes a pool only if devices with the same value consume the same"
                        + " amounts of the same counter set. Needs the API server's feature gate DRAPartitionableDevicesType.")
        @Size(min = 1, max = Limits.DOMAIN + 1 + Limits.IDENTIFIER) @Nullable String partitionTypeAttribute,

        @JsonPropertyDescription(
                "Calls that the kubelet can skip for the devices (KEP-5945): NodeUnprepareResources, both"
                        + " NodePrepareResources and NodeUnprepareResources, or * for all. Needs the API server's feature gate"
                        + " DRAOptionalNodeOperations.")
        @Size(max = 2) List<String> skipNodeOperations,

        @JsonPropertyDescription(
                "Faults to inject, at most 16: errors when the kubelet prepares or unprepares claims, and devices that become"
                        + " unhealthy or tainted. Removing a fault from the list ends it.")
        @Size(max = 16) List<FaultSpec> faults,

        @JsonPropertyDescription(
                "How busy the GPUs are in dcgm-exporter's metrics. Default: devices that a running pod holds are fully busy,"
                        + " others idle.")
        @Nullable LoadSpec load,

        @JsonPropertyDescription(
                "What containers get for the devices, on nodes with the kubelet plugin. Default: what the driver of such hardware"
                        + " gives them.")
        @Nullable ContainersSpec containers,

        @JsonPropertyDescription("Additional content of the ResourceSlices. Default: none.") @Nullable PublishSpec publish) {

    public static final String DEFAULT_DRIVER = "gpu.example.com";
    public static final int MAX_COUNT = 64;

    /** The scheduler that allocates the devices. */
    public enum AllocatorName {
        Companion,
        KubeScheduler;

        /** The other allocator, which ignores these devices. */
        public AllocatorName other() {
            return this == Companion ? KubeScheduler : Companion;
        }
    }

    /** Which compatibility groups are published. */
    public enum Compatibility {
        ByScheme,
        None,
        Custom
    }

    /** Whether the operator creates DeviceClasses. */
    public enum DeviceClasses {
        Managed,
        Unmanaged
    }

    /** When a change of devices in use is applied. */
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
        attributes = Defaults.map(attributes);
        taints = Defaults.list(taints);
        health = Defaults.list(health);
        faults = Defaults.list(faults);
        skipNodeOperations = Defaults.list(skipNodeOperations);
    }

    /** A copy with different nodes, health and taints. */
    public FakeGpuSpec with(NodesSpec otherNodes, List<HealthSpec> otherHealth, List<TaintSpec> otherTaints) {
        return new FakeGpuSpec(
                driver,
                allocator,
                otherNodes,
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
                faults,
                load,
                containers,
                publish);
    }

    /** GPUs per node: {@code count} with its default. */
    public int gpusPerNode() {
        return count == null ? 1 : count;
    }

    /** {@code load} with its default. */
    public LoadSpec loadOrDefault() {
        return load == null ? LoadSpec.DEFAULT : load;
    }

    /** {@code containers} with its default. */
    public ContainersSpec containersOrDefault() {
        return containers == null ? ContainersSpec.DEFAULT : containers;
    }

    /** Whether slices get an annotation that shows them with mixins. */
    public boolean showsMixins() {
        return publish != null && publish.mixins() == PublishSpec.Mixins.Annotation;
    }

    /** {@code topology} with its default. */
    public TopologySpec topologyOrDefault() {
        return topology == null ? TopologySpec.DEFAULT : topology;
    }

    /** {@code compatibilityGroups.names}; null unless {@code compatibility} is {@code Custom}. */
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
