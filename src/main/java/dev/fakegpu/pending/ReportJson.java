package dev.fakegpu.pending;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.fakegpu.problemfile.ExplanationJson;
import dev.fakegpu.snapshot.Unseen;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A report as JSON. Fields may be added; those that are here keep their meaning.
 *
 * @param explanations one for each pod or claim, or for several with the same explanation
 * @param notSeen what the caller has no right to see
 * @param unreadable objects with fields that this version does not understand
 */
@JsonPropertyOrder({"explanations", "notSeen", "unreadable"})
public record ReportJson(List<One> explanations, List<NotSeen> notSeen, List<String> unreadable) {

    /**
     * One explanation.
     *
     * @param state {@code Served}, {@code Pending} or {@code Over}
     * @param alsoFor other objects with the same explanation, as {@code namespace/name}
     * @param queue who is before it
     * @param devices why devices cannot be allocated, as from {@code fakegpu allocate --explain}
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
            List<String> facts,
            List<Evidence.UnfitNodes> unfitNodes,
            @Nullable ExplanationJson devices,
            List<Evidence.WayOut> waysOut,
            @Nullable Assumed assumed) {}

    /**
     * What was assumed about the scheduler.
     *
     * @param scheduler {@code Companion} or {@code KubeScheduler}
     * @param gate {@code On}, {@code Off} or {@code Unaware}
     */
    @JsonPropertyOrder({"scheduler", "gate", "gateFrom", "groupPolicy", "groupPolicyFrom"})
    public record Assumed(String scheduler, String gate, String gateFrom, String groupPolicy, String groupPolicyFrom) {}

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
                group.subjects().stream()
                        .filter(other -> !other.equals(subject))
                        .map(other -> other.namespace() + "/" + other.name())
                        .toList(),
                answer.facts(),
                answer.evidence().map(Evidence::unfit).orElse(List.of()),
                answer.evidence()
                        .flatMap(Evidence::explanation)
                        .map(ExplanationJson::of)
                        .orElse(null),
                answer.evidence().map(Evidence::ways).orElse(List.of()),
                answer.evidence()
                        .map(Evidence::assumed)
                        .map(ReportJson::assumed)
                        .orElse(null));
    }

    private static Assumed assumed(Assumptions assumed) {
        return new Assumed(
                title(assumed.scheduler()),
                title(assumed.gate()),
                assumed.gateFrom(),
                title(assumed.policy()),
                assumed.policyFrom());
    }

    private static NotSeen notSeen(Unseen unseen) {
        return new NotSeen(unseen.kind().resource(), unseen.verb(), unseen.namespace(), Blind.consequence(unseen));
    }

    /** Such as {@code KubeScheduler}. */
    private static String title(Enum<?> value) {
        var title = new StringBuilder();
        for (String word : value.name().split("_")) {
            title.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return title.toString();
    }
}
