package dev.fakegpu.simulate;

import dev.fakegpu.simulate.ClusterView.ClaimRow;
import dev.fakegpu.simulate.ClusterView.PodRow;
import dev.fakegpu.simulate.ClusterView.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Formats two clusters side by side: the result of each claim and pod, with the reasons where they differ. */
public final class ComparisonText {

    private static final String SAME = "";
    private static final String DIFFERENT = "<>";

    private final String titleA;
    private final ClusterView a;
    private final String titleB;
    private final ClusterView b;

    public ComparisonText(String titleA, ClusterView a, String titleB, ClusterView b) {
        this.titleA = titleA;
        this.a = a;
        this.titleB = titleB;
        this.b = b;
    }

    public List<String> lines() {
        var rows = new ArrayList<List<String>>();
        var reasons = new ArrayList<String>();
        rows.add(List.of("", titleA, "", titleB));
        for (String name : names(view -> view.claims().stream().map(claim -> key(claim.namespace(), claim.name())))) {
            add(rows, reasons, "claim " + name, claim(a, name), claim(b, name));
        }
        for (String name : names(view -> view.pods().stream().map(pod -> key(pod.namespace(), pod.name())))) {
            add(rows, reasons, "pod " + name, pod(a, name), pod(b, name));
        }
        var lines = new ArrayList<>(ViewText.aligned(rows));
        lines.addAll(reasons);
        return lines;
    }

    /** @param waiting null if the pod or claim does not wait */
    private record Cell(String text, @Nullable Waiting waiting) {}

    private void add(List<List<String>> rows, List<String> reasons, String title, Cell inA, Cell inB) {
        boolean isSame = inA.text().equals(inB.text());
        rows.add(List.of(title, inA.text(), isSame ? SAME : DIFFERENT, inB.text()));
        if (!isSame) {
            reason(reasons, title, titleA, inA.waiting());
            reason(reasons, title, titleB, inB.waiting());
        }
    }

    private static void reason(List<String> reasons, String title, String world, @Nullable Waiting waiting) {
        if (waiting != null) {
            reasons.addAll(ViewText.sentence(world + ": " + title, waiting));
        }
    }

    private TreeSet<String> names(Function<ClusterView, Stream<String>> keys) {
        var names = new TreeSet<String>();
        Stream.of(a, b).flatMap(keys).forEach(names::add);
        return names;
    }

    private static Cell claim(ClusterView view, String name) {
        Optional<ClaimRow> found = view.claims().stream()
                .filter(claim -> key(claim.namespace(), claim.name()).equals(name))
                .findFirst();
        return found.map(claim -> new Cell(
                        claim.devices().isEmpty() ? "not allocated" : String.join(",", claim.devices()),
                        claim.waiting()))
                .orElse(new Cell("does not exist", null));
    }

    private static Cell pod(ClusterView view, String name) {
        return view.pods().stream()
                .filter(pod -> key(pod.namespace(), pod.name()).equals(name))
                .findFirst()
                .map(pod -> new Cell(state(pod), pod.waiting()))
                .orElse(new Cell("does not exist", null));
    }

    private static String state(PodRow pod) {
        if (pod.waiting() != null) {
            return "waits: " + pod.waiting().reason();
        }
        if (pod.rejected() != null) {
            return "rejected: " + pod.rejected().reason();
        }
        return pod.isRunning() ? "runs on " + pod.node() : pod.phase();
    }

    private static String key(String namespace, String name) {
        return ViewText.name(namespace, name);
    }
}
