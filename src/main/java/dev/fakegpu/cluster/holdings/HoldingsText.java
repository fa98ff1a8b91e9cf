package dev.fakegpu.cluster.holdings;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.util.TextTable;
import dev.fakegpu.util.TextWrap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Holdings as text tables. */
public final class HoldingsText {

    private static final String INDENT = "    ";
    private static final String NOTHING = "-";

    private final List<Gpu> gpus;
    private final Instant now;

    /** @param now the current time, for the age of claims */
    public HoldingsText(List<Gpu> gpus, Instant now) {
        this.gpus = List.copyOf(gpus);
        this.now = now;
    }

    /** How much detail is shown for each GPU. */
    public enum Detail {
        /** Counts the idle GPUs of a pool; for the others, shows what their state still allows and excludes. */
        SHORT,
        /** Shows every GPU with all counters. */
        WIDE
    }

    /** One row for each held device, followed by what else its GPU has room for and what is excluded. */
    public List<String> byGpu(Detail detail) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NODE", "GPU", "MODE", "DEVICE", "CLAIM", "PODS", "AGE", "NOTE"));
        var below = new ArrayList<List<String>>();
        below.add(List.of());
        Map<List<String>, Integer> idle = new LinkedHashMap<>();
        for (Gpu gpu : gpus) {
            if (gpu.isIdle() && detail == Detail.SHORT) {
                idle.merge(List.of(gpu.node(), gpu.pool().name(), taintsOfIdle(gpu)), 1, Integer::sum);
                continue;
            }
            rows.addAll(rows(gpu));
            while (below.size() < rows.size() - 1) {
                below.add(List.of());
            }
            below.add(below(gpu, detail));
        }
        idle.forEach((where, count) -> {
            rows.add(row(where.get(0), count + " of " + where.get(1), Gpu.IDLE, where.get(2)));
            below.add(List.of());
        });
        return interleaved(TextTable.aligned(rows), below);
    }

    private static List<String> interleaved(List<String> rows, List<List<String>> below) {
        var lines = new ArrayList<String>();
        for (int i = 0; i < rows.size(); i++) {
            lines.add(rows.get(i));
            lines.addAll(below.get(i));
        }
        return lines;
    }

    /** Nothing is held, so excluded devices are tainted. */
    private static String taintsOfIdle(Gpu gpu) {
        long tainted = gpu.kinds().stream().filter(Gpu.KindRoom::isExcluded).count();
        if (tainted == 0) {
            return "";
        }
        String what = gpu.unhealthy().isEmpty() ? "tainted" : "unhealthy (" + String.join(", ", gpu.unhealthy()) + ")";
        return tainted == gpu.kinds().size() ? what : "partly " + what;
    }

    private static List<String> row(String node, String gpu, String mode, String note) {
        return List.of(node, gpu, mode, NOTHING, "", "", "", note);
    }

    private List<List<String>> rows(Gpu gpu) {
        if (gpu.holdings().isEmpty()) {
            return List.of(row(gpu.node(), gpu.shortName(), gpu.mode(), ""));
        }
        var rows = new ArrayList<List<String>>();
        for (Gpu.Holding holding : gpu.holdings()) {
            boolean isFirst = rows.isEmpty();
            rows.add(List.of(
                    isFirst ? gpu.node() : "",
                    isFirst ? gpu.shortName() : "",
                    isFirst ? gpu.mode() : "",
                    holding.device(),
                    holding.claim().ref().toString(),
                    listed(holding.claim().pods()),
                    age(holding.claim()),
                    String.join(", ", notes(holding))));
        }
        return rows;
    }

    private static List<String> notes(Gpu.Holding holding) {
        return Stream.concat(
                        holding.share().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(share -> share.getKey() + " " + share.getValue()),
                        holding.notes().stream())
                .toList();
    }

    private static List<String> below(Gpu gpu, Detail detail) {
        var lines = new ArrayList<String>();
        List<String> room = gpu.kinds().stream()
                .filter(kind -> kind.room().atMost() > 0)
                .map(kind -> kind.room() + " " + kind.kind())
                .toList();
        if (!room.isEmpty()) {
            lines.addAll(TextWrap.items(INDENT + "room for any of: ", room));
        }
        Map<String, List<String>> excluded = new TreeMap<>(gpu.kinds().stream()
                .filter(Gpu.KindRoom::isExcluded)
                .collect(Collectors.groupingBy(
                        Gpu.KindRoom::obstacle,
                        Collectors.mapping(
                                kind -> kind.devices() == 1
                                        ? kind.kind()
                                        : kind.kind() + " (" + (kind.devices() - kind.held()) + ")",
                                Collectors.toList()))));
        excluded.forEach(
                (obstacle, kinds) -> lines.addAll(TextWrap.items(INDENT + excludedBy(obstacle) + ": ", kinds)));
        Map<String, List<Gpu.Left>> left = gpu.left().stream()
                .collect(Collectors.groupingBy(each -> leftOf(gpu, each), LinkedHashMap::new, Collectors.toList()));
        left.forEach((of, all) -> {
            List<String> amounts = amounts(all, detail);
            if (!amounts.isEmpty()) {
                lines.addAll(TextWrap.items(INDENT + of + ": ", amounts));
            }
        });
        return lines;
    }

    /** In short, without untouched counters, and without the names of counters if all of them are used up, as by a whole GPU. */
    private static List<String> amounts(List<Gpu.Left> all, Detail detail) {
        List<Gpu.Left> shown = all.stream()
                .filter(each -> detail == Detail.WIDE || !each.left().equals(each.total()))
                .toList();
        if (detail == Detail.SHORT
                && shown.size() > 1
                && all.stream().allMatch(each -> each.left().signum() == 0)) {
            return List.of("nothing");
        }
        return shown.stream()
                .map(each -> each.name() + " " + each.left() + " of " + each.total())
                .toList();
    }

    /** A counter and a capacity of a shared device can have the same name, such as memory. */
    private static String leftOf(Gpu gpu, Gpu.Left left) {
        List<CounterSet> sets = gpu.hardware().sets();
        boolean isOnlyOne =
                sets.isEmpty() || sets.stream().anyMatch(set -> set.name().equals(left.of()));
        return isOnlyOne ? "left" : "left of " + left.of();
    }

    private static String excludedBy(String obstacle) {
        return switch (obstacle) {
            case "groups" -> "excluded by groups";
            case "both" -> "excluded by groups and counters";
            case "tainted", "unhealthy" -> obstacle;
            default -> "excluded by counter " + obstacle;
        };
    }

    /** One row for each node. */
    public List<String> byNode() {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NODE", "GPUS", "IDLE", "MODES", "DEVICES HELD", "CLAIMS"));
        grouped(gpus.stream(), Gpu::node).forEach((node, ofNode) -> {
            Map<String, Long> modes = ofNode.stream()
                    .filter(gpu -> !gpu.isIdle())
                    .collect(Collectors.groupingBy(Gpu::mode, TreeMap::new, Collectors.counting()));
            List<Holder> held = holders(ofNode.stream()).toList();
            rows.add(List.of(
                    node,
                    String.valueOf(ofNode.size()),
                    String.valueOf(ofNode.stream().filter(Gpu::isIdle).count()),
                    listed(modes.entrySet().stream()
                            .map(mode -> mode.getValue() + " " + mode.getKey())
                            .toList()),
                    devices(held),
                    claims(held)));
        });
        return TextTable.aligned(rows);
    }

    /** One row for each namespace. */
    public List<String> byNamespace() {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAMESPACE", "CLAIMS", "PODS", "DEVICES", "GPUS"));
        grouped(holders(gpus.stream()), holder -> holder.claim().ref().namespace())
                .forEach((namespace, held) -> rows.add(List.of(
                        namespace,
                        claims(held),
                        count(held.stream().flatMap(holder -> holder.claim().pods().stream())),
                        devices(held),
                        count(held.stream().map(Holder::gpu)))));
        return TextTable.aligned(rows);
    }

    /** One row for each claim. */
    public List<String> byClaim() {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("CLAIM", "PODS", "AGE", "NODE", "DEVICES", "NOTE"));
        grouped(holders(gpus.stream()), holder -> holder.claim().ref().toString())
                .forEach((claim, held) -> {
                    HeldClaim first = held.get(0).claim();
                    rows.add(List.of(
                            claim,
                            listed(first.pods()),
                            age(first),
                            listed(distinct(held, holder -> holder.gpu().node())),
                            listed(distinct(held, holder -> holder.holding().device())),
                            String.join(", ", distinctNotes(held))));
                });
        return TextTable.aligned(rows);
    }

    /** One row for each pod. */
    public List<String> byPod() {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("POD", "NODE", "CLAIMS", "DEVICES"));
        var ofPods = holders(gpus.stream())
                .flatMap(holder -> holder.claim().pods().stream()
                        .map(pod -> Map.entry(holder.claim().ref().namespace() + "/" + pod, holder)));
        grouped(ofPods, Map.Entry::getKey).forEach((pod, entries) -> {
            List<Holder> held = entries.stream().map(Map.Entry::getValue).toList();
            rows.add(List.of(
                    pod,
                    listed(distinct(held, holder -> holder.gpu().node())),
                    listed(distinct(held, holder -> holder.claim().ref().name())),
                    listed(distinct(held, holder -> holder.holding().device()))));
        });
        return TextTable.aligned(rows);
    }

    /** One row for each PodGroup, followed by the reason why its pods are waiting. */
    public static List<String> podGroups(List<PodGroupState> groups) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("PODGROUP", "RUNNING", "NEEDED", "DEVICES", "NODES"));
        var below = new ArrayList<List<String>>();
        below.add(List.of());
        for (PodGroupState group : groups) {
            rows.add(List.of(
                    group.namespace() + "/" + group.name(),
                    group.running() + " of " + group.pods(),
                    group.needed().map(String::valueOf).orElse(NOTHING),
                    String.valueOf(group.devices().size()),
                    listed(group.nodes())));
            below.add(group.waits().isEmpty() ? List.of() : TextWrap.lines(INDENT + "waits: ", group.waits()));
        }
        return interleaved(TextTable.aligned(rows), below);
    }

    /** A claim with one of its devices. */
    private record Holder(Gpu gpu, Gpu.Holding holding) {
        HeldClaim claim() {
            return holding.claim();
        }
    }

    private static Stream<Holder> holders(Stream<Gpu> gpus) {
        return gpus.flatMap(gpu -> gpu.holdings().stream().map(holding -> new Holder(gpu, holding)));
    }

    private static <T> Map<String, List<T>> grouped(Stream<T> items, Function<T, String> key) {
        return items.collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    private static List<String> distinct(List<Holder> held, Function<Holder, String> value) {
        return held.stream().map(value).distinct().toList();
    }

    private static List<String> distinctNotes(List<Holder> held) {
        return held.stream()
                .flatMap(holder -> holder.holding().notes().stream())
                .distinct()
                .toList();
    }

    private static String claims(List<Holder> held) {
        return count(held.stream().map(holder -> holder.claim().ref()));
    }

    private static String devices(List<Holder> held) {
        return count(held.stream()
                .map(holder -> holder.gpu().pool().device(holder.holding().device())));
    }

    private static String count(Stream<?> items) {
        return String.valueOf(items.distinct().count());
    }

    private static String listed(Collection<String> items) {
        return items.isEmpty() ? NOTHING : String.join(",", items);
    }

    /** Formats the age as {@code kubectl} does, in the largest unit. */
    private String age(HeldClaim claim) {
        Duration age = Duration.between(claim.created(), now);
        if (age.isNegative()) {
            return NOTHING;
        }
        if (age.toDays() > 1) {
            return age.toDays() + "d";
        }
        if (age.toHours() > 1) {
            return age.toHours() + "h";
        }
        return age.toMinutes() > 1 ? age.toMinutes() + "m" : age.toSeconds() + "s";
    }
}
