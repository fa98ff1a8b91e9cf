package dev.fakegpu.dashboard;

import dev.fakegpu.cluster.holdings.Gpu;
import dev.fakegpu.cluster.holdings.Gpu.DeviceState;
import dev.fakegpu.dashboard.GpuView.Excluded;
import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.matrix.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What cannot be allocated on a piece of hardware because of what is held there. */
final class Exclusions {

    private static final Set<String> NOT_BY_HOLDERS = Set.of("", "held", "tainted", "unhealthy");
    private static final int MAX_NAMED = 2;
    private static final String GROUPS = "groups";
    private static final String BOTH = "both";

    private final Gpu gpu;
    private final String hardware;

    /** @param hardware its short name, which is omitted from the names of its devices */
    Exclusions(Gpu gpu, String hardware) {
        this.gpu = gpu;
        this.hardware = hardware;
    }

    /** Devices with equal keys are combined. */
    private record Key(boolean byGroups, List<String> groups) {}

    List<Excluded> list() {
        Map<Key, List<DeviceState>> together = gpu.hardware().devices().stream()
                .filter(device -> !NOT_BY_HOLDERS.contains(device.obstacle()))
                .collect(Collectors.groupingBy(Exclusions::key, LinkedHashMap::new, Collectors.toList()));
        return together.entrySet().stream()
                .map(entry -> excluded(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Key key(DeviceState device) {
        boolean byGroups = device.obstacle().equals(GROUPS) || device.obstacle().equals(BOTH);
        return new Key(byGroups, byGroups ? groups(device.device()) : List.of());
    }

    static List<String> groups(Device device) {
        Set<String> groups = new TreeSet<>();
        device.consumesCounters().forEach(entry -> groups.addAll(entry.compatibilityGroups()));
        return List.copyOf(groups);
    }

    private Excluded excluded(Key key, List<DeviceState> devices) {
        List<List<Device>> alike =
                Kind.alike(devices.stream().map(DeviceState::device).toList());
        List<String> kinds = alike.stream()
                .map(kind -> name(kind) + (kind.size() == 1 ? "" : " (%d devices)".formatted(kind.size())))
                .toList();
        return new Excluded(title(key, alike), devices.size(), kinds, rule(key, devices));
    }

    /** The number of devices is omitted, because it is shown separately. */
    private String title(Key key, List<List<Device>> kinds) {
        if (!key.groups().isEmpty()) {
            return String.join(", ", key.groups());
        }
        return kinds.size() > MAX_NAMED
                ? kinds.size() + " kinds"
                : kinds.stream().map(this::name).collect(Collectors.joining(", "));
    }

    private String name(List<Device> kind) {
        return Kind.title(kind).replace(hardware + "-", "");
    }

    private String rule(Key key, List<DeviceState> devices) {
        var parts = new ArrayList<String>();
        if (key.byGroups()) {
            parts.add(groupRule(key.groups()));
        }
        Set<String> counters = new TreeSet<>();
        devices.stream()
                .map(DeviceState::obstacle)
                .filter(obstacle -> !obstacle.equals(GROUPS))
                .forEach(counters::add);
        if (counters.contains(BOTH)) {
            parts.add("they also need more of the counters than is left");
        } else if (!counters.isEmpty()) {
            parts.add("they need more of %s than is left".formatted(String.join(", ", counters)));
        }
        return String.join("; ", parts);
    }

    private String groupRule(List<String> groups) {
        Set<String> common = new TreeSet<>();
        gpu.hardware().commonGroups().values().forEach(common::addAll);
        String holders = gpu.holdings().stream()
                .map(holding -> holding.claim().ref().toString())
                .distinct()
                .collect(Collectors.joining(", "));
        String theirs = common.isEmpty()
                ? "the devices of %s, which have none in common themselves".formatted(holders)
                : "the group%s %s of %s".formatted(common.size() == 1 ? "" : "s", String.join(", ", common), holders);
        return groups.isEmpty()
                ? "they have no compatibility group, so they do not go with " + theirs
                : "they do not share a compatibility group with " + theirs;
    }
}
