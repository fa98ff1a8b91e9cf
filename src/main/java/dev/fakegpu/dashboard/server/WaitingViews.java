package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.pending.Answer;
import dev.fakegpu.cluster.pending.Evidence;
import dev.fakegpu.cluster.pending.Subject;
import dev.fakegpu.cluster.snapshot.ClusterHoldings;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.dashboard.Dashboard.Holder;
import dev.fakegpu.dashboard.Dashboard.Refused;
import dev.fakegpu.dashboard.Dashboard.Unfit;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.dashboard.Dashboard.WayOut;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Answers about waiting objects as the page shows them, with lists truncated because a cluster can have many nodes. */
final class WaitingViews {

    private static final int MAX_LISTED = 50;
    private static final int MAX_NODES = 5;
    private static final String WITHHELD =
            "what it asks for, and why it gets none, is shown only to those who may read it";

    private WaitingViews() {}

    /** If the name is withheld, the view has only the reason and what is in the way, but not what is requested. */
    static WaitingView of(Answer answer, ClusterObjects objects) {
        Subject subject = answer.subject();
        boolean withheld = isWithheld(subject.namespace(), subject.name(), objects);
        Optional<Evidence> evidence = answer.evidence();
        Stream<Finding> findings = evidence.flatMap(Evidence::explanation).map(Explanation::findings).stream()
                .flatMap(List::stream);
        List<Finding> all = findings.toList();
        return new WaitingView(
                id(subject.kind(), subject.namespace(), subject.name()),
                subject.kind(),
                subject.namespace(),
                subject.name(),
                since(subject, objects),
                answer.code(),
                withheld ? WITHHELD : DashboardReader.text(answer.sentence()),
                withheld ? "" : DashboardReader.text(answer.queue()),
                (withheld ? List.<String>of() : answer.facts())
                        .stream().limit(MAX_LISTED).map(DashboardReader::text).toList(),
                inTheWay(all),
                withheld ? List.of() : refused(all),
                withheld ? List.of() : unfit(evidence),
                waysOut(evidence),
                withheld ? "" : evidence.map(known -> known.assumed().text()).orElse(""),
                withheld ? List.of() : classes(subject, objects),
                withheld
                        ? List.of()
                        : claimsOfPod(subject, objects)
                                .map(name -> id("ResourceClaim", subject.namespace(), name))
                                .toList(),
                withheld ? "" : podGroup(subject, objects));
    }

    private static String podGroup(Subject subject, ClusterObjects objects) {
        return subject.kind().equals("Pod")
                ? objects.pod(subject.namespace(), subject.name())
                        .flatMap(PodGroup::nameFor)
                        .orElse("")
                : "";
    }

    private static String id(String kind, String namespace, String name) {
        return kind + "/" + namespace + "/" + name;
    }

    private static Stream<String> claimsOfPod(Subject subject, ClusterObjects objects) {
        return subject.kind().equals("Pod")
                ? objects.pod(subject.namespace(), subject.name()).stream()
                        .flatMap(pod -> PodClaims.names(pod).stream())
                : Stream.empty();
    }

    private static List<String> classes(Subject subject, ClusterObjects objects) {
        Stream<String> claims =
                subject.kind().equals("Pod") ? claimsOfPod(subject, objects) : Stream.of(subject.name());
        return claims.flatMap(name -> objects.claim(subject.namespace(), name).stream())
                .flatMap(claim -> ClusterHoldings.classes(claim).stream())
                .distinct()
                .toList();
    }

    /** Whether the requests of a pod or claim must not be shown, because its name or that of one of the pod's claims is withheld. */
    static boolean isWithheld(String namespace, String name, ClusterObjects objects) {
        return WithheldNames.isWithheld(name)
                || objects.pod(namespace, name).stream()
                        .filter(pod -> pod.getSpec() != null)
                        .anyMatch(WithheldNames::refersToWithheld);
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
                        way.releases(),
                        way.tolerates()))
                .toList();
    }
}
