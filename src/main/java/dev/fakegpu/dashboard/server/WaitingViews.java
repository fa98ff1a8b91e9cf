package dev.fakegpu.dashboard.server;

import dev.fakegpu.dashboard.Dashboard.Holder;
import dev.fakegpu.dashboard.Dashboard.Refused;
import dev.fakegpu.dashboard.Dashboard.Unfit;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.dashboard.Dashboard.WayOut;
import dev.fakegpu.explain.Explanation;
import dev.fakegpu.explain.Finding;
import dev.fakegpu.pending.Answer;
import dev.fakegpu.pending.Evidence;
import dev.fakegpu.pending.Subject;
import dev.fakegpu.snapshot.ClusterObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Answers about what waits, as the page shows them: the beginning of each list, since a cluster can have many nodes. */
final class WaitingViews {

    private static final int MAX_LISTED = 50;
    private static final int MAX_NODES = 5;

    private WaitingViews() {}

    static WaitingView of(Answer answer, ClusterObjects objects) {
        Subject subject = answer.subject();
        Optional<Evidence> evidence = answer.evidence();
        Stream<Finding> findings = evidence.flatMap(Evidence::explanation).map(Explanation::findings).stream()
                .flatMap(List::stream);
        List<Finding> all = findings.toList();
        return new WaitingView(
                subject.kind() + "/" + subject.namespace() + "/" + subject.name(),
                subject.kind(),
                subject.namespace(),
                subject.name(),
                since(subject, objects),
                answer.code(),
                DashboardReader.text(answer.sentence()),
                DashboardReader.text(answer.queue()),
                answer.facts().stream()
                        .limit(MAX_LISTED)
                        .map(DashboardReader::text)
                        .toList(),
                inTheWay(all),
                refused(all),
                unfit(evidence),
                waysOut(evidence),
                evidence.map(known -> known.assumed().text()).orElse(""));
    }

    private static String since(Subject subject, ClusterObjects objects) {
        Optional<? extends HasMetadata> object = subject.kind().equals("Pod")
                ? objects.pod(subject.namespace(), subject.name())
                : objects.claim(subject.namespace(), subject.name());
        return object.map(known -> known.getMetadata().getCreationTimestamp()).orElse("");
    }

    private static List<Holder> inTheWay(List<Finding> findings) {
        return findings.stream()
                .flatMap(finding ->
                        finding.blockers().stream().map(claim -> new Holder(claim.toString(), finding.node())))
                .distinct()
                .limit(MAX_LISTED)
                .toList();
    }

    private static List<Refused> refused(List<Finding> findings) {
        return findings.stream()
                .flatMap(finding -> finding.stopped().stream()
                        .flatMap(stopped -> stopped.examples().stream()
                                .map(example -> new Refused(
                                        finding.node(),
                                        example.device().poolId().toString(),
                                        example.device().device(),
                                        example.devices(),
                                        stopped.reason().name(),
                                        DashboardReader.text(finding.describe(example))))))
                .distinct()
                .limit(MAX_LISTED)
                .toList();
    }

    private static List<Unfit> unfit(Optional<Evidence> evidence) {
        return evidence.map(Evidence::unfit).orElse(List.of()).stream()
                .map(unfit -> new Unfit(
                        DashboardReader.text(unfit.reason()),
                        unfit.nodes().size(),
                        unfit.nodes().stream().limit(MAX_NODES).toList()))
                .toList();
    }

    private static List<WayOut> waysOut(Optional<Evidence> evidence) {
        return evidence.map(Evidence::ways).orElse(List.of()).stream()
                .limit(MAX_LISTED)
                .map(way -> new WayOut(
                        way.nodes().stream().limit(MAX_NODES).toList(),
                        DashboardReader.text(way.text()),
                        way.releases()))
                .toList();
    }
}
