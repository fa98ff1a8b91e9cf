package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.explain.finding.Remedy;
import dev.fakegpu.engine.explain.finding.RequestRef;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why nothing was allocated, as JSON.
 *
 * @param sentence the sentence for an event
 * @param table the full explanation as lines of text
 * @param findings why each request or alternative cannot be satisfied, the most informative first
 * @param wayOut a change that would make the claims fit; absent if none was found
 * @param neverFits true if releasing devices would not help; otherwise absent
 */
@JsonPropertyOrder({"reason", "sentence", "table", "findings", "wayOut", "neverFits"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExplanationJson(
        Reason reason,
        String sentence,
        List<String> table,
        List<RequestReasons> findings,
        @Nullable Way wayOut,
        @Nullable Boolean neverFits) {

    /** The maximum number of blocking claims that are listed. */
    private static final int MAX_LISTED = 8;

    /**
     * One request, or one alternative, on one node.
     *
     * @param request the request's name, or {@code request/alternative}
     * @param wanted the number of devices that it needs
     * @param found the number of these devices that are available
     * @param considered the number of devices that the node can access
     * @param alongside the requests that were satisfied first, as {@code namespace/claim: request}
     * @param inTheWay the first {@value #MAX_LISTED} claims that block the devices
     * @param claimsInTheWay the number of claims that block the devices
     * @param exhaustive whether all combinations were tried
     * @param neverFits true if this holds even with nothing allocated and every taint tolerated; absent if it holds at the moment
     * @param other problems other than devices, such as unusable pools
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
        "neverFits",
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
            @Nullable Boolean neverFits,
            List<Other> other) {}

    /**
     * Devices that are rejected for one reason.
     *
     * @param ways the number of distinct refusals; {@code examples} has the first ones
     */
    @JsonPropertyOrder({"reason", "devices", "ways", "examples"})
    public record Stopped(Reason reason, int devices, int ways, List<Example> examples) {}

    /**
     * Devices with identical refusals.
     *
     * @param kind the step of the allocator that rejects them
     * @param device the first of the devices, as {@code driver/pool/device}
     */
    @JsonPropertyOrder({"kind", "device", "devices", "text", "holders"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Example(String kind, String device, int devices, String text, List<Holding> holders) {}

    /**
     * A claim that blocks devices.
     *
     * @param request the request, if the claim is being allocated; empty if it is already allocated
     * @param devices the claim's devices; empty if it holds exactly the device that is needed
     */
    @JsonPropertyOrder({"claim", "request", "devices"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Holding(String claim, String request, List<String> devices) {}

    /** A problem other than devices. */
    @JsonPropertyOrder({"reason", "text"})
    public record Other(Reason reason, String text) {}

    /**
     * A change that would make the claims fit. One of the fields other than the node is set.
     *
     * @param addDevices true if more devices are needed, because claims of the pod's own gang hold devices that fit
     */
    @JsonPropertyOrder({"node", "release", "tolerate", "recover", "deleteSlices", "complete", "addDevices"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Way(
            String node,
            @Nullable List<String> release,
            @Nullable String tolerate,
            @Nullable List<String> recover,
            @Nullable List<String> deleteSlices,
            @Nullable String complete,
            @Nullable Boolean addDevices) {}

    public static ExplanationJson of(Explanation explanation) {
        Remedy remedy = explanation.remedy();
        return new ExplanationJson(
                explanation.reason(),
                explanation.sentence(),
                explanation.table(),
                explanation.findings().stream().map(ExplanationJson::request).toList(),
                remedy == null ? null : way(explanation.findings().get(0).node(), remedy),
                explanation.neverFits() ? true : null);
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
                finding.isEverlasting() ? true : null,
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
                                blockers(example.refusal())))
                        .toList());
    }

    private static String kind(Refusal refusal) {
        return refusal.getClass().getSimpleName();
    }

    private static List<Holding> blockers(Refusal refusal) {
        return refusal.blockers().list().stream()
                .limit(MAX_LISTED)
                .map(ExplanationJson::holding)
                .toList();
    }

    private static Holding holding(Blocker blocker) {
        return new Holding(
                blocker.claim().toString(),
                blocker.request(),
                blocker.devices().stream().limit(MAX_LISTED).toList());
    }

    private static Way way(String node, Remedy remedy) {
        return remedy.match(new Remedy.Cases<>() {
            @Override
            public Way release(Remedy.Release release) {
                return new Way(node, names(release.claims()), null, null, null, null, null);
            }

            @Override
            public Way tolerate(Remedy.Tolerate tolerate) {
                return new Way(node, null, Objects.toString(tolerate.taint()), null, null, null, null);
            }

            @Override
            public Way recover(Remedy.Recover recover) {
                List<String> devices =
                        recover.devices().stream().map(DeviceId::toString).toList();
                return new Way(node, null, null, devices, null, null, null);
            }

            @Override
            public Way deleteSlices(Remedy.DeleteSlices delete) {
                return new Way(node, null, null, null, delete.names(), null, null);
            }

            @Override
            public Way completePool(Remedy.CompletePool complete) {
                return new Way(node, null, null, null, null, complete.pool().toString(), null);
            }

            @Override
            public Way addDevices(Remedy.AddDevices add) {
                return new Way(node, null, null, null, null, null, true);
            }
        });
    }
}
