package dev.fakegpu.hardware.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A machine and the topology of its hardware. FakeGpus of a node that name the same profile agree on PCIe roots and NUMA nodes. Profiles
 * are data, in {@code src/main/resources/profiles}.
 *
 * @param name the value of {@code spec.topology.profile}
 * @param models the models of the machine, by kind
 * @param resources what the node has of {@code cpu} and {@code memory}
 * @param hugePages the memory that the machine's image reserves for huge pages, by each size that the kernel has: a kubelet also reports
 *     sizes with no pages
 * @param places where the units of each kind are, in order
 * @param cpus the CPUs of each NUMA node, as {@code nvidia-smi topo -m} lists them; none for machines without NVIDIA's GPUs
 * @param sameRoot what {@code nvidia-smi topo -m} says of a GPU and a card on one PCIe root; null if the machine has none
 */
public record NodeProfile(
        String name,
        Provenance provenance,
        Map<String, List<String>> models,
        Map<String, String> resources,
        Map<String, String> hugePages,
        Map<String, List<Place>> places,
        List<String> cpus,
        @Nullable String sameRoot) {

    private static final List<String> BUILT_IN =
            List.of("dgx-h100.yaml", "gb200-nvl72.yaml", "hgx-b200.yaml", "mi300x.yaml");

    public NodeProfile {
        cpus = List.copyOf(Objects.requireNonNullElse(cpus, List.of()));
        Invalid.when(sameRoot != null && !sameRoot.matches("PIX|PXB|PHB"), "sameRoot is not one of PIX, PXB and PHB");
    }

    /**
     * The place of a unit.
     *
     * @param bus {@code <domain>:<bus>}; not used for a CPU
     * @param root {@code pci<domain>:<bus>}; for a CPU, the first root of its NUMA node
     */
    public record Place(String bus, String root, int numaNode) {

        public Place {
            Invalid.when(!bus.matches("[0-9a-f]{4}:[0-9a-f]{2}"), "bus \"%s\" is not such as 0000:1b", bus);
            Invalid.when(!root.matches("pci[0-9a-f]{4}:[0-9a-f]{2}"), "root \"%s\" is not such as pci0000:15", root);
        }
    }

    /** The profiles, which are read on first use. */
    private static final class BuiltIn {

        private static final Map<String, NodeProfile> BY_NAME = BUILT_IN.stream()
                .map(BuiltIn::read)
                .collect(Collectors.toMap(NodeProfile::name, Function.identity(), (one, another) -> one, TreeMap::new));

        private static NodeProfile read(String file) {
            ObjectMapper yaml = new YAMLMapper();
            try (InputStream content = NodeProfile.class.getResourceAsStream("/profiles/" + file)) {
                if (content == null) {
                    throw new IllegalStateException("profiles/" + file + " is not on the class path");
                }
                return yaml.readValue(content, NodeProfile.class);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("profiles/" + file + ": " + e.getMessage(), e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The profile with this name. */
    public static Optional<NodeProfile> find(String name) {
        return Optional.ofNullable(BuiltIn.BY_NAME.get(name));
    }

    /** The names of all profiles, sorted. */
    public static List<String> names() {
        return List.copyOf(BuiltIn.BY_NAME.keySet());
    }

    /** What the node has, by resource. Users may reserve other amounts of huge pages. */
    public Map<String, String> capacity() {
        var capacity = new TreeMap<>(resources);
        hugePages.forEach((size, amount) -> capacity.put("hugepages-" + size, amount));
        return capacity;
    }

    /** The places for units of a kind; empty if the machine has no such units. */
    public List<Place> places(String kind) {
        return places.getOrDefault(kind, List.of());
    }
}
