package dev.fakegpu.simulate.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.validation.ApiServer;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.util.Suggestion;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The feature gates of a version of Kubernetes. All are enabled, except for some.
 *
 * @param off the gates that are disabled
 */
public record ServerGates(KubernetesVersion version, Set<ServerGate> off) implements ApiServer {

    private static final String DEFAULT = "default";

    public ServerGates {
        var copy = EnumSet.noneOf(ServerGate.class);
        copy.addAll(off);
        off = Collections.unmodifiableSet(copy);
    }

    /** All gates are enabled. */
    public static ServerGates of(KubernetesVersion version) {
        return new ServerGates(version, Set.of());
    }

    /**
     * Parses settings of feature gates.
     *
     * @param settings settings such as {@code DRADeviceTaints=false}, as in {@code --feature-gates} of Kubernetes' programs, or {@code
     *     default} for the defaults of the version
     * @throws SimulationException if the version does not have a gate, or does not allow disabling it, or {@code default} is not the first
     */
    public static ServerGates of(KubernetesVersion version, List<String> settings) {
        var off = EnumSet.noneOf(ServerGate.class);
        for (String setting : settings) {
            if (setting.equals(DEFAULT)) {
                if (!setting.equals(settings.get(0))) {
                    throw new SimulationException(
                            "--feature-gates: \"default\" would undo the settings before it; it must be the first");
                }
                off.clear();
                Arrays.stream(ServerGate.values())
                        .filter(gate -> gate.isIn(version) && !gate.isOnIn(version))
                        .forEach(off::add);
                continue;
            }
            String[] parts = setting.split("=", 2);
            ServerGate gate = gate(parts[0].trim(), version);
            if (parts.length < 2 || !Set.of("true", "false").contains(parts[1])) {
                throw new SimulationException("--feature-gates: \"%s\" cannot be read; allowed: %s=true or %2$s=false"
                        .formatted(setting, gate));
            }
            if (parts[1].equals("true")) {
                off.remove(gate);
            } else if (gate.isLockedIn(version)) {
                throw new SimulationException(
                        "--feature-gates: cannot set feature gate %s to false, feature is locked to true in Kubernetes %s"
                                .formatted(gate, version));
            } else {
                off.add(gate);
            }
        }
        return new ServerGates(version, off);
    }

    /** Whether a setting is of a gate that one version has and the other does not have. */
    public static boolean isOnlyIn(KubernetesVersion version, KubernetesVersion other, String setting) {
        String name = setting.split("=", 2)[0].trim();
        return Arrays.stream(ServerGate.values())
                .anyMatch(gate -> gate.name().equals(name) && gate.isIn(version) && !gate.isIn(other));
    }

    private static ServerGate gate(String name, KubernetesVersion version) {
        List<String> known = Arrays.stream(ServerGate.values())
                .filter(gate -> gate.isIn(version))
                .map(Enum::name)
                .toList();
        if (!known.contains(name)) {
            throw new SimulationException(
                    "--feature-gates: \"%s\" is not a gate of Kubernetes %s that matters to devices%s; allowed: %s"
                            .formatted(name, version, Suggestion.hint(name, known), String.join(", ", known)));
        }
        return ServerGate.valueOf(name);
    }

    @Override
    public boolean isOn(String gate) {
        return off.stream().noneMatch(each -> each.name().equals(gate));
    }

    @Override
    public JsonNode kept(JsonNode object) {
        return new KeptFields(this).withoutDropped(object);
    }

    /** The same gates for another version. */
    public ServerGates with(KubernetesVersion other) {
        return new ServerGates(other, off);
    }

    /** The fields of ResourceSlices that the API server stores. */
    public ServedFields fields() {
        Set<SliceField> unknown = Arrays.stream(SliceField.values())
                .filter(field -> !field.isIn(version.minor()))
                .collect(Collectors.toSet());
        return new ServedFields(unknown, Set.of())
                .andDropped(
                        off.stream().flatMap(gate -> gate.ofSlices().stream()).collect(Collectors.toSet()));
    }

    /**
     * The fields of the ResourceSlices of FakeGpus. Kubernetes 1.34 refuses counters whose counter set is in another slice, so the operator
     * does not publish any there.
     */
    public ServedFields published() {
        return version == KubernetesVersion.V1_34 ? fields().andDropped(Set.of(SliceField.COUNTERS)) : fields();
    }

    /** The features of kube-scheduler's allocator with these gates. */
    public Set<Feature> features() {
        return Feature.all().stream()
                .filter(feature ->
                        off.stream().noneMatch(gate -> feature.gates().contains(gate.name())))
                .collect(Collectors.toSet());
    }
}
