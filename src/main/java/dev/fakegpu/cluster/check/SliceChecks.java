package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.hardware.inventory.Syntax;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Rules about the fields of a ResourceSlice other than its devices and counters. */
final class SliceChecks {

    private static final String REFUSED = "The API server refuses the slice, so the pool never becomes complete.";

    private static final Rule INVALID_QUANTITY = Rule.error(
            Scope.SLICE,
            "invalid-quantity",
            "The API server cannot read the slice.",
            "Write a quantity such as 40Gi, 500m or 7.",
            "k8s.io/apimachinery/pkg/api/resource: ParseQuantity");
    private static final Rule INVALID_MIXIN = Rule.error(
            Scope.SLICE,
            "invalid-mixin",
            "Consumers of the slice cannot resolve its mixins.",
            "Declare the mixin that is included, and keep the limits; fakegpu flatten shows the slice without mixins.",
            Sources.kep("5234 (ResourceSlice mixins)"));
    private static final Rule MIXINS = Rule.warning(
            Scope.SLICE,
            "mixins-not-served",
            "No released Kubernetes has mixins: the API server drops them, and the devices lack what they include.",
            "Publish what fakegpu flatten prints.",
            Sources.kep("5234 (ResourceSlice mixins), which is not merged"));
    private static final Rule DRIVER_NAME = Rule.error(
            Scope.SLICE,
            "invalid-driver-name",
            REFUSED,
            "Use a DNS subdomain of at most " + Limits.DRIVER_NAME
                    + " characters that you own, such as gpu.example.com.",
            Sources.validation("validateDriverName") + ", DriverNameMaxLength");
    private static final Rule POOL_NAME = Rule.error(
            Scope.SLICE,
            "invalid-pool-name",
            REFUSED,
            "Use DNS subdomains separated by /, at most " + Limits.SUBDOMAIN
                    + " characters together; usually the node's name.",
            Sources.validation("validatePoolName") + ", PoolNameMaxLength");
    private static final Rule SLICE_COUNT = Rule.error(
            Scope.SLICE,
            "invalid-slice-count",
            REFUSED,
            "Set spec.pool.resourceSliceCount to the number of slices that the pool has.",
            Sources.validation("validateResourcePool"));
    private static final Rule GENERATION = Rule.error(
            Scope.SLICE,
            "negative-generation",
            REFUSED,
            "Start with generation 1 and count up.",
            Sources.validation("validateResourcePool"));
    private static final Rule TOO_MANY_DEVICES = Rule.error(
            Scope.SLICE,
            "too-many-devices",
            REFUSED,
            "Distribute the devices over several slices of the pool.",
            Sources.types("ResourceSliceMaxDevices = " + Limits.DEVICES
                    + ", ResourceSliceMaxDevicesWithAdvancedFeatures = " + Limits.DEVICES_WITH_ADVANCED_FEATURES));
    private static final Rule TOO_MANY_COUNTER_SETS = Rule.error(
            Scope.SLICE,
            "too-many-counter-sets",
            REFUSED,
            "Distribute the counter sets over several slices of the pool.",
            Sources.types("ResourceSliceMaxCounterSets = " + Limits.COUNTER_SETS));
    private static final Rule DEVICES_AND_COUNTERS = Rule.error(
            Scope.SLICE,
            "devices-and-counter-sets",
            "The API server refuses the slice; an allocator would ignore its devices.",
            "Put sharedCounters into a slice of their own in the same pool.",
            Sources.validation("validateResourceSliceSpec"));
    private static final Rule SKIP_OPERATIONS = Rule.error(
            Scope.SLICE,
            "invalid-skip-node-operations",
            REFUSED,
            "Allowed are *, or NodeUnprepareResources alone or together with NodePrepareResources.",
            Sources.validation("validateSkipNodeOperations") + "; KEP-5945");
    private static final Rule PARTITION_NAME = Rule.error(
            Scope.SLICE,
            "partition-type-not-qualified",
            REFUSED,
            "Write the attribute with its domain, such as gpu.example.com/profile.",
            Sources.validation("validateFullyQualifiedName"));
    private static final Rule PARTITION_UNUSED = Rule.error(
            Scope.SLICE,
            "partition-type-without-partitions",
            REFUSED,
            "Remove partitionTypeAttribute from slices whose devices consume no counters.",
            Sources.validation("validatePartitionTypeAttribute"));
    private static final Rule PARTITION_MISSING = Rule.error(
            Scope.SLICE,
            "partition-type-missing",
            REFUSED,
            "Give every device that consumes counters this attribute, as a string.",
            Sources.validation("validatePartitionTypeAttribute"));

    static final List<Rule> RULES = List.of(
            INVALID_QUANTITY,
            INVALID_MIXIN,
            MIXINS,
            DRIVER_NAME,
            POOL_NAME,
            SLICE_COUNT,
            GENERATION,
            TOO_MANY_DEVICES,
            TOO_MANY_COUNTER_SETS,
            DEVICES_AND_COUNTERS,
            SKIP_OPERATIONS,
            PARTITION_NAME,
            PARTITION_UNUSED,
            PARTITION_MISSING);

    private final CheckedSlice slice;
    private final Violations findings;

    private SliceChecks(CheckedSlice slice, Violations findings) {
        this.slice = slice;
        this.findings = findings;
    }

    static void check(CheckedSlice slice, Violations findings) {
        var checks = new SliceChecks(slice, findings);
        checks.reading();
        checks.names();
        checks.sizes();
        checks.skipNodeOperations();
        checks.partitionType();
    }

    private void reading() {
        slice.problems()
                .forEach(problem -> add(
                        problem.kind() == CheckedSlice.Problem.Kind.QUANTITY ? INVALID_QUANTITY : INVALID_MIXIN,
                        problem.path(),
                        problem.message()));
        if (slice.spec().has("mixins")) {
            add(MIXINS, "spec.mixins", "has mixins, of which the API server keeps nothing");
        }
    }

    private void names() {
        String driver = slice.pool().driver();
        if (!Syntax.DRIVER.matches(driver.toLowerCase(Locale.ROOT))) {
            add(DRIVER_NAME, "spec.driver", Words.quoted(driver) + " is not " + Syntax.DRIVER.description());
        }
        String pool = slice.pool().name();
        if (pool.length() > Limits.SUBDOMAIN
                || !Arrays.stream(pool.split("/", -1)).allMatch(Syntax.NODE_NAME::matches)) {
            add(POOL_NAME, "spec.pool.name", Words.quoted(pool) + " is not a list of DNS subdomains separated by /");
        }
        if (slice.slice().sliceCount() <= 0) {
            add(SLICE_COUNT, "spec.pool.resourceSliceCount", slice.slice().sliceCount() + " is not greater than 0");
        }
        if (slice.slice().generation() < 0) {
            add(GENERATION, "spec.pool.generation", slice.slice().generation() + " is less than 0");
        }
    }

    private void sizes() {
        int devices = slice.slice().devices().size();
        int maximum = needsSmallSlices() ? Limits.DEVICES_WITH_ADVANCED_FEATURES : Limits.DEVICES;
        if (devices > maximum) {
            add(
                    TOO_MANY_DEVICES,
                    "spec.devices",
                    "has %s devices, at most %s are allowed%s"
                            .formatted(
                                    devices,
                                    maximum,
                                    maximum == Limits.DEVICES
                                            ? ""
                                            : ", because some have taints, counters or lists as attributes"));
        }
        int sets = slice.slice().counterSets().size();
        if (sets > Limits.COUNTER_SETS) {
            add(
                    TOO_MANY_COUNTER_SETS,
                    "spec.sharedCounters",
                    "has %s counter sets, at most %s are allowed".formatted(sets, Limits.COUNTER_SETS));
        }
        if (sets > 0 && devices > 0) {
            add(DEVICES_AND_COUNTERS, "spec", "has both sharedCounters and devices");
        }
    }

    private boolean needsSmallSlices() {
        return slice.devices().stream()
                .anyMatch(device -> !device.device().taints().isEmpty()
                        || !device.device().consumesCounters().isEmpty()
                        || AttributeChecks.hasLists(device.json()));
    }

    private void skipNodeOperations() {
        List<String> skipped = slice.slice().skipNodeOperations();
        skipped.stream()
                .filter(operation -> !List.of("*", "NodePrepareResources", "NodeUnprepareResources")
                        .contains(operation))
                .forEach(operation -> add(
                        SKIP_OPERATIONS, "spec.skipNodeOperations", Words.quoted(operation) + " is not an operation"));
        if (skipped.contains("NodePrepareResources")
                && !skipped.contains("NodeUnprepareResources")
                && !skipped.contains("*")) {
            add(
                    SKIP_OPERATIONS,
                    "spec.skipNodeOperations",
                    "skips NodePrepareResources, but not NodeUnprepareResources");
        }
    }

    private void partitionType() {
        String name = slice.slice().partitionTypeAttribute();
        if (name == null) {
            return;
        }
        var partitions = slice.devices().stream()
                .filter(device -> !device.device().consumesCounters().isEmpty())
                .toList();
        if (partitions.isEmpty()) {
            add(
                    PARTITION_UNUSED,
                    "spec.partitionTypeAttribute",
                    "is set, but no device of the slice consumes counters");
        } else if (!Syntax.FULLY_QUALIFIED_NAME.matches(name)) {
            add(
                    PARTITION_NAME,
                    "spec.partitionTypeAttribute",
                    Words.quoted(name) + " is not an attribute's name with a domain");
        } else {
            partitions.forEach(device -> partitionType(device, name));
        }
    }

    private void partitionType(CheckedDevice device, String name) {
        JsonNode attributes = device.json().path("attributes");
        String bare = bareName(name);
        JsonNode value = attributes.has(name) ? attributes.path(name) : attributes.path(bare);
        if (!value.has("string")) {
            findings.add(
                    PARTITION_MISSING,
                    device.at("attributes[" + name + "]"),
                    value.isMissingNode()
                            ? "is missing, but is the slice's partitionTypeAttribute"
                            : "is not a string, but is the slice's partitionTypeAttribute");
        }
    }

    /** The name that an attribute in the driver's own domain can also have. */
    private String bareName(String name) {
        String prefix = slice.pool().driver() + "/";
        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }

    private void add(Rule rule, String path, String message) {
        findings.add(rule, slice.at(path), message);
    }
}
