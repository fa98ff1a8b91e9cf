package dev.fakegpu.problemfile;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.fakegpu.allocate.Blocker;
import dev.fakegpu.allocate.Refusal;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.explain.Explanation;
import dev.fakegpu.explain.Finding;
import dev.fakegpu.explain.Reason;
import dev.fakegpu.explain.Remedy;
import dev.fakegpu.explain.RequestRef;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why nothing was allocated, with the fields of its JSON.
 *
 * @param sentence for an event
 * @param table the same in full, line by line, for a person
 * @param findings what keeps each request, or each alternative, from being served; most telling first
 * @param wayOut what would make the claims fit, absent if nothing was found
 */
@JsonPropertyOrder({"reason", "sentence", "table", "findings", "wayOut"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExplanationJson(
        Reason reason,
        String sentence,
        List<String> table,
        List<RequestReasons> findings,
        @Nullable Way wayOut) {

    /** Claims in the way are listed up to here. */
    private static final int MAX_LISTED = 8;

    /**
     * One request, or one alternative, on one node.
     *
     * @param request the request's name, or {@code request/alternative}
     * @param wanted how many devices it is for
     * @param found how many of them could be had
     * @param considered how many devices the node can reach
     * @param alongside the requests that were served first, as {@code namespace/claim: request}
     * @param inTheWay claims that hold what the devices need, the first {@value #MAX_LISTED}
     * @param claimsInTheWay how many claims those are
     * @param exhaustive whether all combinations were tried
     * @param other pools that cannot be used, and what else is the matter
     */
    @JsonPropertyOrder({
        "node",
        "claim",
        "request",
        "reason",
        "wanted",
        "found",
        "considered",
        "alongside",
        "stopped",
        "inTheWay",
        "claimsInTheWay",
        "exhaustive",
        "other"
    })
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record RequestReasons(
            String node,
            String claim,
            String request,
            Reason reason,
            long wanted,
            long found,
            int considered,
            List<String> alongside,
            List<Stopped> stopped,
            List<String> inTheWay,
            int claimsInTheWay,
            boolean exhaustive,
            List<Other> other) {}

    /**
     * Devices stopped for one reason.
     *
     * @param ways in how many ways they are, of which the first ones are told
     */
    @JsonPropertyOrder({"reason", "devices", "ways", "examples"})
    public record Stopped(Reason reason, int devices, int ways, List<Example> examples) {}

    /**
     * Devices stopped in the very same way.
     *
     * @param kind which step of the allocator refuses them
     * @param device the first of them, as {@code driver/pool/device}
     */
    @JsonPropertyOrder({"kind", "device", "devices", "text", "holders"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Example(String kind, String device, int devices, String text, List<Holding> holders) {}

    /**
     * Who is in the way.
     *
     * @param request of the claims to be allocated; empty where another claim holds the devices
     * @param devices empty where it is the device itself
     */
    @JsonPropertyOrder({"claim", "request", "devices"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Holding(String claim, String request, List<String> devices) {}

    /** Something else than devices. */
    @JsonPropertyOrder({"reason", "text"})
    public record Other(Reason reason, String text) {}

    /** One of three ways out. */
    @JsonPropertyOrder({"node", "release", "tolerate", "complete"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Way(
            String node,
            @Nullable List<String> release,
            @Nullable String tolerate,
            @Nullable String complete) {}

    static ExplanationJson of(Explanation explanation) {
        Remedy wayOut = explanation.remedy();
        return new ExplanationJson(
                explanation.reason(),
                explanation.sentence(),
                explanation.table(),
                explanation.findings().stream().map(ExplanationJson::request).toList(),
                wayOut == null ? null : way(explanation.findings().get(0).node(), wayOut));
    }

    private static RequestReasons request(Finding finding) {
        return new RequestReasons(
                finding.node(),
                finding.claim().toString(),
                finding.resultName(),
                finding.reason(),
                finding.wanted(),
                finding.found(),
                finding.considered(),
                finding.alongside().stream().map(ExplanationJson::name).toList(),
                finding.stopped().stream()
                        .map(stopped -> stopped(finding, stopped))
                        .toList(),
                names(finding.blockers().stream().limit(MAX_LISTED).toList()),
                finding.blockers().size(),
                finding.isExhaustive(),
                finding.others().stream()
                        .map(other -> new Other(other.reason(), other.sentence()))
                        .toList());
    }

    private static String name(RequestRef request) {
        return request.claim() + ": " + request.request();
    }

    private static List<String> names(List<ClaimRef> claims) {
        return claims.stream().map(ClaimRef::toString).toList();
    }

    private static Stopped stopped(Finding finding, Finding.Stopped stopped) {
        return new Stopped(
                stopped.reason(),
                stopped.devices(),
                stopped.ways(),
                stopped.examples().stream()
                        .map(example -> new Example(
                                kind(example.refusal()),
                                example.device().toString(),
                                example.devices(),
                                finding.describe(example),
                                holders(example.refusal())))
                        .toList());
    }

    private static String kind(Refusal refusal) {
        return refusal.getClass().getSimpleName();
    }

    private static List<Holding> holders(Refusal refusal) {
        return refusal.holders().list().stream()
                .limit(MAX_LISTED)
                .map(ExplanationJson::holding)
                .toList();
    }

    private static Holding holding(Blocker holder) {
        return new Holding(
                holder.claim().toString(),
                holder.request(),
                holder.devices().stream().limit(MAX_LISTED).toList());
    }

    private static Way way(String node, Remedy wayOut) {
        if (wayOut instanceof Remedy.Release release) {
            return new Way(node, names(release.claims()), null, null);
        }
        return wayOut instanceof Remedy.Tolerate tolerate
                ? new Way(node, null, Objects.toString(tolerate.taint()), null)
                : new Way(node, null, null, Objects.toString(((Remedy.CompletePool) wayOut).pool()));
    }
}
