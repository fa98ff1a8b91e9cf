package dev.fakegpu.simulate;

import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.simulate.ClusterView.ClaimRow;
import dev.fakegpu.simulate.ClusterView.EvictionRow;
import dev.fakegpu.simulate.ClusterView.PodRow;
import dev.fakegpu.simulate.ClusterView.ResultRow;
import dev.fakegpu.simulate.ClusterView.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Formats a view as text for terminals of 120 columns: a table of claims, and a sentence for everything that waits or was evicted. */
public final class ViewText {

    static final int WIDTH = 120;
    private static final int MAX_CELL = 40;
    private static final String NONE = "-";

    private ViewText() {}

    public static List<String> lines(ClusterView view) {
        var lines = new ArrayList<>(table(view));
        for (PodRow pod : view.pods()) {
            String title = "pod " + name(pod.namespace(), pod.name());
            if (pod.waiting() != null) {
                lines.addAll(sentence(title, pod.waiting()));
            } else if (pod.rejected() != null) {
                lines.addAll(rejection(title, pod));
            }
        }
        for (ClaimRow claim : view.claims()) {
            if (claim.waiting() != null) {
                lines.addAll(sentence("claim " + name(claim.namespace(), claim.name()), claim.waiting()));
            }
        }
        view.claims().stream()
                .filter(claim -> !claim.otherConsumers().isEmpty())
                .forEach(claim -> lines.addAll(wrap(reservation(claim), "", "  ")));
        view.evictions().forEach(each -> lines.addAll(wrap(sentence(each), "", "  ")));
        view.problems().forEach(problem -> lines.addAll(wrap(problem, "", "  ")));
        return lines;
    }

    /** One row for each claim with its devices and pods, and one for each pod without claims. */
    public static List<String> table(ClusterView view) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("CLAIM", "DEVICE", "POOL", "NODE", "PREPARED", "POD", "PHASE"));
        for (ClaimRow claim : view.claims()) {
            List<PodRow> pods = claim.pods().stream()
                    .flatMap(pod -> view.pod(claim.namespace(), pod).stream())
                    .toList();
            rows.add(List.of(
                    name(claim.namespace(), claim.name()),
                    cell(devices(claim)),
                    cell(claim.pool()),
                    cell(distinct(pods, PodRow::node)),
                    cell(claim.prepared()),
                    cell(String.join(",", claim.pods())),
                    cell(distinct(pods, PodRow::phase))));
        }
        view.pods().stream()
                .filter(pod -> view.claims().stream()
                        .noneMatch(claim -> claim.pods().contains(pod.name())
                                && claim.namespace().equals(pod.namespace())))
                .forEach(pod -> rows.add(List.of(
                        NONE, NONE, NONE, cell(pod.node()), NONE, name(pod.namespace(), pod.name()), pod.phase())));
        return rows.size() == 1 ? List.of("there are no claims and no pods") : aligned(rows);
    }

    /** The nodes of the pods; pods that share a claim can be on several nodes. */
    private static String distinct(List<PodRow> pods, Function<PodRow, @Nullable String> column) {
        return pods.stream()
                .flatMap(pod -> Stream.ofNullable(column.apply(pod)))
                .distinct()
                .collect(Collectors.joining(","));
    }

    /** One row for each device that a claim got, with the request, its class and amounts. */
    public static List<String> devices(ClusterView view) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("CLAIM", "REQUEST", "CLASS", "DRIVER", "DEVICE", "POOL", "AMOUNT", "SHARE", "ACCESS"));
        for (ClaimRow claim : view.claims()) {
            for (ResultRow result : claim.results()) {
                rows.add(List.of(
                        name(claim.namespace(), claim.name()),
                        result.request(),
                        cell(result.deviceClass()),
                        result.driver(),
                        result.device(),
                        result.pool(),
                        cell(result.consumed().entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining(","))),
                        result.share() == null ? NONE : String.valueOf(result.share()),
                        result.adminAccess() ? "admin" : NONE));
            }
        }
        return rows.size() == 1 ? List.of() : aligned(rows);
    }

    /** The devices, with those of admin access last, since other claims may hold them. */
    private static String devices(ClaimRow claim) {
        List<String> held = claim.devices().stream()
                .filter(device -> !claim.adminAccess().contains(device))
                .toList();
        return claim.adminAccess().isEmpty()
                ? String.join(",", held)
                : String.join(",", held) + (held.isEmpty() ? "" : "; ") + "admin: "
                        + String.join(",", claim.adminAccess());
    }

    static List<String> aligned(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        return rows.stream()
                .map(row -> {
                    var line = new StringBuilder();
                    for (int i = 0; i < columns; i++) {
                        line.append(row.get(i))
                                .append(" ".repeat(widths[i] - row.get(i).length() + 2));
                    }
                    return line.toString().stripTrailing();
                })
                .toList();
    }

    public static List<String> sentence(String subject, Waiting waiting) {
        return wrap("%s waits (%s): %s".formatted(subject, waiting.reason(), waiting.sentence()), "", "  ");
    }

    private static List<String> rejection(String subject, PodRow pod) {
        Waiting rejected = Objects.requireNonNull(pod.rejected());
        return wrap(
                "%s was rejected by node %s (%s): %s"
                        .formatted(subject, pod.node(), rejected.reason(), rejected.sentence()),
                "",
                "  ");
    }

    private static String reservation(ClaimRow claim) {
        return "claim %s is reserved for %s"
                .formatted(name(claim.namespace(), claim.name()), ClaimConsumer.text(claim.otherConsumers()));
    }

    public static String sentence(EvictionRow row) {
        return "pod %s was evicted after %ds (%s): %s"
                .formatted(name(row.namespace(), row.name()), row.seconds(), row.reason(), row.sentence());
    }

    public static String name(String namespace, String name) {
        return namespace.equals("default") ? name : namespace + "/" + name;
    }

    private static String cell(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return NONE;
        }
        return text.length() <= MAX_CELL ? text : text.substring(0, MAX_CELL - 1) + "…";
    }

    /** Wraps a text without breaking words. */
    public static List<String> wrap(String text, String first, String further) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder(first);
        boolean isEmpty = true;
        for (String word : text.split(" ", -1)) {
            if (!isEmpty && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(further);
                isEmpty = true;
            }
            line.append(isEmpty ? "" : " ").append(word);
            isEmpty = false;
        }
        lines.add(line.toString());
        return lines;
    }
}
