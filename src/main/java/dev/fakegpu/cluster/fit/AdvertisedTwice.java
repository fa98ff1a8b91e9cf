package dev.fakegpu.cluster.fit;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.cel.SelectorResult;
import dev.fakegpu.engine.cel.Selectors;
import io.fabric8.kubernetes.api.model.Node;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hardware that a node offers twice: as a resource of a device plugin in its allocatable resources, and as devices in ResourceSlices of a
 * driver. Neither side knows what the other has allocated, so two pods can get the same GPU without any warning.
 *
 * <p>Whether both are about the same hardware is concluded from names, such as {@code nvidia.com/gpu} and {@code gpu.nvidia.com}, or from a
 * DeviceClass that serves the resource with such devices (KEP-5004). Amounts say nothing, because a plugin may offer shares of a GPU.
 *
 * @param amount the node's amount of the resource
 * @param devices the number of allocatable devices that the driver has published for the node
 */
public record AdvertisedTwice(String node, String resource, BigDecimal amount, String driver, long devices) {

    /** Drivers whose names have nothing in common with those of their resources. */
    private static final Map<String, String> DRIVERS = Map.of(
            "habana.ai/gaudi", "gaudi.intel.com",
            "aws.amazon.com/neuron", "neuron.aws.com",
            "aws.amazon.com/neuroncore", "neuron.aws.com");

    /** The resources of Intel's plugin that are GPUs, as opposed to permission to monitor them. */
    private static final Set<String> OF_INTEL = Set.of("gpu.intel.com/i915", "gpu.intel.com/xe");

    /** The type of devices that are prepared for virtual machines, which device plugins for containers ignore. */
    private static final String VFIO = "vfio";

    private static final Selectors SELECTORS = Selectors.shared();

    /**
     * A DeviceClass with an {@code extendedResourceName}.
     *
     * @param selectors its CEL expressions
     */
    public record ServedResource(String resource, List<String> selectors) {

        public ServedResource {
            selectors = List.copyOf(selectors);
        }

        private boolean matches(String driver, Device device) {
            return !selectors.isEmpty()
                    && selectors.stream()
                            .allMatch(
                                    expression -> SELECTORS.compile(expression).evaluate(driver, device)
                                            instanceof SelectorResult.Match);
        }
    }

    /**
     * Finds all cases, sorted by node, resource and driver.
     *
     * @param allocatable the allocatable amounts of each node, by resource
     * @param slices slices of any generation; only the newest generation of each pool counts
     */
    public static List<AdvertisedTwice> in(
            Map<String, Map<String, BigDecimal>> allocatable,
            Collection<Slice> slices,
            Collection<ServedResource> served) {
        Map<String, Map<String, List<Device>>> devices = byNodeAndDriver(slices);
        var found = new ArrayList<AdvertisedTwice>();
        new TreeMap<>(devices).forEach((node, ofNode) -> {
            Map<String, BigDecimal> resources = new TreeMap<>(allocatable.getOrDefault(node, Map.of()));
            resources.values().removeIf(amount -> amount.signum() <= 0);
            resources.keySet().removeIf(resource -> !resource.contains("/"));
            resources.forEach((resource, amount) -> new TreeMap<>(ofNode).forEach((driver, ofDriver) -> {
                if (isSame(resource, driver, ofDriver, served)) {
                    found.add(new AdvertisedTwice(node, resource, amount, driver, ofDriver.size()));
                }
            }));
        });
        return List.copyOf(found);
    }

    /** The allocatable amounts of a node, by resource. */
    public static Map<String, BigDecimal> allocatable(Node node) {
        return node.getStatus() == null
                ? Map.of()
                : PodRequests.amounts(node.getStatus().getAllocatable());
    }

    private static Map<String, Map<String, List<Device>>> byNodeAndDriver(Collection<Slice> slices) {
        Map<PoolId, Long> newest = new HashMap<>();
        slices.forEach(slice -> newest.merge(slice.pool(), slice.generation(), Math::max));
        Map<String, Map<String, List<Device>>> devices = new HashMap<>();
        for (Slice slice : slices) {
            if (slice.generation() != Objects.requireNonNull(newest.get(slice.pool()))) {
                continue;
            }
            for (Device device : slice.devices()) {
                if (slice.nodesOf(device) instanceof NodeSelection.NodeName node && isForContainers(device)) {
                    devices.computeIfAbsent(node.name(), ignored -> new HashMap<>())
                            .computeIfAbsent(slice.pool().driver(), ignored -> new ArrayList<>())
                            .add(device);
                }
            }
        }
        return devices;
    }

    /** The companion's taint only says which scheduler allocates the device. */
    private static boolean isForContainers(Device device) {
        return device.text("type").filter(VFIO::equals).isEmpty()
                && device.taints().stream()
                        .noneMatch(taint ->
                                taint.keepsFromScheduling() && !taint.key().equals(Labels.ALLOCATOR_TAINT));
    }

    private static boolean isSame(
            String resource, String driver, List<Device> devices, Collection<ServedResource> served) {
        return namesTheSame(resource, driver)
                || served.stream()
                        .filter(each -> each.resource().equals(resource))
                        .anyMatch(each -> devices.stream().anyMatch(device -> each.matches(driver, device)));
    }

    /**
     * Matches, for example, {@code nvidia.com/gpu}, {@code nvidia.com/gpu.shared} and {@code nvidia.com/mig-1g.5gb} with {@code
     * gpu.nvidia.com}.
     */
    private static boolean namesTheSame(String resource, String driver) {
        String[] parts = resource.split("/", 2);
        String kind = parts[1].startsWith("mig-") ? "gpu" : parts[1].replaceFirst("\\.shared$", "");
        return driver.equals(kind + "." + parts[0])
                || driver.equals(DRIVERS.get(resource))
                || (OF_INTEL.contains(resource) && driver.equals(parts[0]));
    }

    /** What is wrong, without a period. */
    public String problem() {
        return "node %s offers the same hardware twice: %s %s by a device plugin, and %d %s of driver %s in ResourceSlices"
                .formatted(
                        node, amount.toPlainString(), resource, devices, devices == 1 ? "device" : "devices", driver);
    }

    /** The problem, its consequences, and what would help. */
    public String sentence() {
        return problem() + ", so that two pods can get the same device; switch one of them off on this node";
    }
}
