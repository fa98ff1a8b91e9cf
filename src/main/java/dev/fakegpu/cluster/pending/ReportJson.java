package dev.fakegpu.cluster.pending;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.fakegpu.cluster.snapshot.AssumptionsJson;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.engine.problemfile.ExplanationJson;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A report as JSON. Fields may be added; existing fields keep their meaning.
 *
 * @param explanations one for each pod or claim, or for several that have the same explanation
 * @param notSeen what the caller is not allowed to see
 * @param unreadable objects with fields that this version does not understand
 */
@JsonPropertyOrder({"explanations", "notSeen", "unreadable"})
public record ReportJson(List<One> explanations, List<NotSeen> notSeen, List<String> unreadable) {

    /**
     * One explanation.
     *
     * @param state {@code Served}, {@code Pending} or {@code Over}
     * @param alsoFor other objects with the same explanation, as {@code namespace/name}
     * @param queued the same, for objects that have others before them that wait for the same devices
     * @param queue its position among those that wait for the same devices
     * @param devices why devices cannot be allocated, as in the output of {@code fakegpu allocate --explain}
     */
    @JsonPropertyOrder({
        "kind",
        "namespace",
        "name",
        "state",
        "code",
        "sentence",
        "queue",
        "alsoFor",
        "queued",
        "facts",
        "unfitNodes",
        "devices",
        "waysOut",
        "assumed"
    })
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record One(
            String kind,
            String namespace,
            String name,
            String state,
            String code,
            String sentence,
            String queue,
            List<String> alsoFor,
            List<String> queued,
            List<String> facts,
            List<Evidence.UnfitNodes> unfitNodes,
            @Nullable ExplanationJson devices,
            List<Evidence.WayOut> waysOut,
            @Nullable AssumptionsJson assumed) {}

    /** @param namespace absent for all namespaces and for cluster-scoped resources */
    @JsonPropertyOrder({"resource", "verb", "namespace", "consequence"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record NotSeen(
            String resource, String verb, @Nullable String namespace, String consequence) {}

    public static ReportJson of(Report report) {
        return new ReportJson(
                report.groups().stream().map(ReportJson::one).toList(),
                report.unseen().stream().map(ReportJson::notSeen).toList(),
                report.unreadable());
    }

    private static One one(Report.Group group) {
        Answer answer = group.answer();
        Subject subject = answer.subject();
        return new One(
                subject.kind(),
                subject.namespace(),
                subject.name(),
                title(answer.state()),
                answer.code(),
                answer.sentence(),
                answer.queue(),
                names(group.others()),
                names(group.queued()),
                answer.facts(),
                answer.evidence().map(Evidence::unfit).orElse(List.of()),
                answer.evidence()
                        .flatMap(Evidence::explanation)
                        .map(ExplanationJson::of)
                        .orElse(null),
                answer.evidence().map(Evidence::ways).orElse(List.of()),
                answer.evidence()
                        .map(Evidence::assumed)
                        .map(AssumptionsJson::of)
                        .orElse(null));
    }

    private static List<String> names(List<Subject> subjects) {
        return subjects.stream()
                .map(subject -> subject.namespace() + "/" + subject.name())
                .toList();
    }

    private static NotSeen notSeen(Unseen unseen) {
        return new NotSeen(unseen.kind().resource(), unseen.verb(), unseen.namespace(), Blind.consequence(unseen));
    }

    /** Returns a name such as {@code Pending}. */
    private static String title(State state) {
        return state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT);
    }
}
