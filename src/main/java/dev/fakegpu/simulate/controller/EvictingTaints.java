package dev.fakegpu.simulate.controller;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.TaintRule;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.TaintRuleReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The taints with the effect {@code NoExecute} of devices, DeviceTaintRules and nodes. Not thread-safe. */
final class EvictingTaints {

    private static final String NO_EXECUTE = "NoExecute";

    private final Map<String, Map<DeviceId, List<DeviceTaint>>> bySlice = new HashMap<>();
    private final Map<String, TaintRule> rules = new TreeMap<>();
    private final Map<String, List<Taint>> byNode = new HashMap<>();

    /**
     * Updates the taints after a change of an object.
     *
     * @param stored null if the object was deleted
     * @return whether the evicting taints have changed
     */
    boolean update(HasMetadata object, @Nullable HasMetadata stored) {
        String name = object.getMetadata().getName();
        if (object instanceof Node) {
            List<Taint> taints = stored instanceof Node node ? taints(node) : List.of();
            return put(byNode, name, taints.isEmpty() ? null : taints);
        } else if (object instanceof DeviceTaintRule) {
            Optional<TaintRule> rule = stored instanceof DeviceTaintRule known
                    ? TaintRuleReader.read(known).filter(each -> each.taint().evicts())
                    : Optional.empty();
            return put(rules, name, rule.orElse(null));
        } else if (object instanceof ResourceSlice) {
            Map<DeviceId, List<DeviceTaint>> taints = stored instanceof ResourceSlice slice ? taints(slice) : Map.of();
            return put(bySlice, name, taints.isEmpty() ? null : taints);
        }
        return false;
    }

    private static <V> boolean put(Map<String, V> map, String key, @Nullable V value) {
        V before = value == null ? map.remove(key) : map.put(key, value);
        return before == null ? value != null : !before.equals(value);
    }

    private static List<Taint> taints(Node node) {
        return node.getSpec() == null
                ? List.of()
                : node.getSpec().getTaints().stream()
                        .filter(taint -> NO_EXECUTE.equals(taint.getEffect()))
                        .toList();
    }

    private static Map<DeviceId, List<DeviceTaint>> taints(ResourceSlice stored) {
        if (stored.getSpec() == null) {
            return Map.of();
        }
        Slice slice = SliceReader.read(stored);
        return slice.devices().stream()
                .filter(device -> device.taints().stream().anyMatch(DeviceTaint::evicts))
                .collect(Collectors.toMap(
                        device ->
                                new DeviceId(slice.pool().driver(), slice.pool().name(), device.name()),
                        EvictingTaints::evicting,
                        (one, other) -> one));
    }

    private static List<DeviceTaint> evicting(Device device) {
        return device.taints().stream().filter(DeviceTaint::evicts).toList();
    }

    boolean areNone() {
        return bySlice.isEmpty() && rules.isEmpty() && byNode.isEmpty();
    }

    /** The taints of the device in its slice, followed by those of rules by name ({@code allEvictingDeviceTaints}). */
    Stream<DeviceTaint> of(DeviceId device) {
        return Stream.concat(
                bySlice.values().stream().flatMap(slice -> slice.getOrDefault(device, List.of()).stream()),
                rules.values().stream().filter(rule -> rule.selects(device)).map(TaintRule::taint));
    }

    List<Taint> ofNode(String name) {
        return byNode.getOrDefault(name, List.of());
    }
}
