package dev.fakegpu.cluster.whatif;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.fakegpu.cluster.snapshot.AssumptionsJson;
import dev.fakegpu.dra.DeviceId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@link WhatIf} as JSON. */
@JsonPropertyOrder({"tried", "lost", "refused", "helped", "assumed"})
public record WhatIfJson(
        List<AttemptJson> tried,
        List<AttemptJson> lost,
        List<AttemptJson> refused,
        List<AttemptJson> helped,
        List<AssumptionsJson> assumed) {

    /** See {@link Attempt}; has {@code node}, {@code devices} and {@code otherNodes}, or {@code reason} and {@code sentence}. */
    @JsonPropertyOrder({
        "kind",
        "namespace",
        "name",
        "why",
        "node",
        "devices",
        "otherNodes",
        "reason",
        "sentence",
        "preempts",
        "needsPod"
    })
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record AttemptJson(
            String kind,
            String namespace,
            String name,
            String why,
            @Nullable String node,
            @Nullable List<String> devices,
            @Nullable Integer otherNodes,
            @Nullable String reason,
            @Nullable String sentence,
            @Nullable List<String> preempts,
            @Nullable Boolean needsPod) {}

    public static WhatIfJson of(WhatIf whatIf) {
        return new WhatIfJson(
                all(whatIf.tried()),
                all(whatIf.lost()),
                all(whatIf.refused()),
                all(whatIf.helped()),
                whatIf.assumed().stream().map(AssumptionsJson::of).toList());
    }

    private static List<AttemptJson> all(List<Attempt> attempts) {
        return attempts.stream().map(WhatIfJson::attempt).toList();
    }

    private static AttemptJson attempt(Attempt attempt) {
        boolean isPlaced = attempt.isPlaced();
        return new AttemptJson(
                attempt.kind(),
                attempt.namespace(),
                attempt.name(),
                attempt.why().name().toLowerCase(Locale.ROOT),
                attempt.node(),
                isPlaced ? attempt.devices().stream().map(DeviceId::toString).toList() : null,
                isPlaced ? attempt.otherNodes() : null,
                isPlaced ? null : attempt.reason(),
                isPlaced ? null : attempt.sentence(),
                attempt.preempts().isEmpty() ? null : attempt.preempts(),
                attempt.needsPod() ? true : null);
    }
}
