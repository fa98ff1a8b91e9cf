package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.RequestError;
import dev.fakegpu.engine.allocate.Superseded;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.SelectorVerdict;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import dev.fakegpu.util.Suggestion;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The wording of explanations, one method for each fact. {@link Sentence} puts the parts together.
 */
public final class Phrases {

    private static final int MAX_LISTED = 3;
    private static final int MAX_EXPRESSION = 160;
    private static final int MAX_BRIEF_EXPRESSION = 100;

    /** Matches the wording of {@code MissingNameText}. Tables show all of it. */
    private static final Pattern CEL_ERROR = Pattern.compile(
            "CEL \\w+ error in selector \".*\": (?<cause>.*?)(?:, and no other)?"
                    + "(?:; if some devices lack it, write (?<write>.*) or test with has\\(\\)|, and names are looked up by domain: (?<meant>.*))?",
            Pattern.DOTALL);

    private final boolean namesClaims;
    private final NameScope reader;
    private final RefusalText refusals;

    /** Begins the sentence about nodes without any device. */
    public static final String NO_DEVICES = "there are no devices to allocate";

    private Phrases(boolean namesClaims, NameScope reader, @Nullable CounterSets brief) {
        this.namesClaims = namesClaims;
        this.reader = reader;
        refusals = new RefusalText(reader, this::name, brief);
    }

    /** Phrases for a sentence. If it is about only one claim, requests are named without the claim. */
    static Phrases brief(Explanation explanation, NameScope reader) {
        return new Phrases(explanation.claims() > 1, reader, CounterSets.in(explanation.findings()));
    }

    /** Phrases for full texts: requests are named with their claims, and holders with their devices. */
    static Phrases inFull(NameScope reader) {
        return new Phrases(true, reader, null);
    }

    WayOutText waysOut() {
        return new WayOutText(reader, refusals);
    }

    public static String allocatable(String node) {
        return "all requests fit on " + node;
    }

    /** @param error an error on a node that keeps the scheduler from trying others */
    public static String stopsAllNodes(String node, String error, String allocatable) {
        return "on " + node + ", " + error + "; this stops the attempt on all nodes, although "
                + allocatable(allocatable);
    }

    public static String noNode() {
        return "there is no node to take devices from";
    }

    public static String tooManyCombinations() {
        return "too many combinations";
    }

    public static String invalidPool(Pool.Invalid pool) {
        return "pool " + pool.id() + " is invalid: " + pool.reason();
    }

    /** The text does not say how many slices are missing, so that a pool that is written slice by slice causes only one event. */
    public static String incompletePool(Pool.Incomplete pool) {
        return pool.found() > pool.expected()
                ? "pool " + pool.id() + " cannot be used: resourceSliceCount says " + pool.expected() + ", but "
                        + (pool.found() == 1 ? "1 slice is" : pool.found() + " slices are") + " there"
                : "pool " + pool.id() + " is being updated: not all of its slices exist yet";
    }

    public static String namesake(DeviceId device, String node) {
        return node + " has a device of this name in pool " + device.poolId()
                + ", too, and only one of them can be allocated";
    }

    /** A phrase about an unfinished update, or about slices that were left over. */
    public static String supersededPool(PoolId pool, Superseded by) {
        return "pool " + pool + " is being updated to generation " + by.newerGeneration() + ": only "
                + quotedList(by.newer()) + " of "
                + (by.sliceCount() == 1 ? "1 slice" : by.sliceCount() + " slices")
                + (by.newer().size() == 1 ? " is" : " are") + " there";
    }

    private static String quotedList(List<String> names) {
        return list(names.stream().map(name -> '"' + name + '"').toList());
    }

    public static String slicesWithGroups(long count) {
        return (count == 1 ? "the pool of 1 slice" : "the pools of " + count + " slices")
                + " with compatibility groups cannot be used while the gate DRADeviceCompatibilityGroups is off;"
                + " turn it on, or publish no groups";
    }

    public static String slicesWithUnknownFeatures(long count) {
        return (count == 1 ? "1 slice uses" : count + " slices use")
                + " shared counters or nodes per device, and cannot be used while the feature "
                + Feature.PARTITIONABLE_DEVICES.gates().get(0) + " is off";
    }

    /** @param found the number of devices that were found for the request */
    static String noDevices(long found) {
        return found > 0 ? "there are no more" : NO_DEVICES;
    }

    /** @param fakeGpus the FakeGpus whose devices another allocator allocates */
    public static String onlyOthers(long found, Collection<String> fakeGpus, String allocator) {
        return (found > 0 ? "there are no more devices to allocate" : noDevices(found)) + " except those of "
                + (fakeGpus.size() == 1 ? "FakeGpu " : "FakeGpus ")
                + quotedList(List.copyOf(fakeGpus))
                + ", whose spec.allocator is " + allocator;
    }

    static String shorten(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        int end = length - 3;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "...";
    }

    static String list(List<String> items) {
        String listed = items.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        return items.size() > MAX_LISTED ? listed + " and " + (items.size() - MAX_LISTED) + " more" : listed;
    }

    static String devices(int count) {
        return count == 1 ? "1 device" : count + " devices";
    }

    String name(ClaimRef claim, String request) {
        return "request \"" + request + "\"" + (namesClaims ? " of " + reader.of(claim) : "");
    }

    String name(Blocker holder) {
        return holder.isOther() ? reader.of(holder.claim()) : name(holder.claim(), holder.request());
    }

    String alongside(List<RequestRef> requests) {
        return requests.size() > MAX_LISTED
                ? "the " + requests.size() + " requests before it"
                : requests.stream()
                        .map(request -> name(request.claim(), request.request()))
                        .collect(Collectors.joining(" and "));
    }

    /**
     * A phrase about an error in a request. It names the claim only if there are several, so that the text is the same for everyone who
     * makes the same mistake.
     *
     * @param claims all claims of the pod
     */
    public static String fault(RequestError fault, List<Claim> claims) {
        if (fault instanceof RequestError.UnknownClass unknown) {
            return request(unknown.claim(), unknown.request(), claims)
                    + (unknown.deviceClass().isEmpty()
                            ? " names no device class"
                            : " is for device class \"" + unknown.deviceClass() + "\", which does not exist");
        }
        if (fault instanceof RequestError.TooManyDevices tooMany) {
            return request(tooMany.claim(), tooMany.request(), claims) + " needs " + tooMany.count() + " devices"
                    + (tooMany.before() > 0 ? " besides " + tooMany.before() + " others" : "") + "; a claim can have "
                    + tooMany.limit();
        }
        if (fault instanceof RequestError.Unsupported unsupported) {
            return (claims.size() > 1 ? unsupported.claim().name() : "the claim") + " cannot be allocated here: "
                    + (unsupported.request().isEmpty() ? "" : "request \"" + unsupported.request() + "\": ")
                    + unsupported.message();
        }
        if (fault instanceof RequestError.PoolUnusable unusable) {
            return request(unusable.claim(), unusable.request(), claims) + " needs all devices, but pool "
                    + unusable.pool().id() + " is not usable";
        }
        return fault instanceof RequestError.SelectorFailed failed
                ? selectorFails(
                        failed.origin() == SelectorVerdict.Origin.CLASS ? "of a class" : "of a request",
                        failed.device().toString(),
                        failed.message())
                : ((RequestError.Other) fault).message();
    }

    private static String request(ClaimRef claim, String request, List<Claim> claims) {
        return "request \"" + request + "\"" + (claims.size() > 1 ? " of " + claim.name() : "");
    }

    public static String tooManyTogether() {
        return "the claim would get more devices than a claim can have";
    }

    public static String tooSlow() {
        return "evaluating the selectors takes too long to say which devices fit";
    }

    public static String undecided() {
        return "there are too many combinations of devices to try them all";
    }

    /** @param explanation an explanation that says that releasing anything would not help */
    static String neverFits(Explanation explanation) {
        long everlasting =
                explanation.everlasting().stream().map(Finding::node).distinct().count();
        if (everlasting < explanation.nodes()) {
            return "never fits on any node with devices";
        }
        return everlasting > 1
                ? "never fits on these nodes"
                : neverFits(explanation.findings().get(0).node());
    }

    static String neverFits(String node) {
        return "never fits on " + node;
    }

    /** @param known the names of the classes that exist */
    public static String fault(RequestError fault, List<Claim> claims, Collection<String> known) {
        return fault(fault, claims)
                + (fault instanceof RequestError.UnknownClass unknown
                                && !unknown.deviceClass().isEmpty()
                        ? instead(unknown.deviceClass(), known)
                        : "");
    }

    private static String instead(String written, Collection<String> known) {
        if (Suggestion.closest(written, known).isPresent()) {
            return Suggestion.hint(written, known);
        }
        return switch (known.size()) {
            case 0 -> "; there are no device classes";
            case 1 -> "; the only device class is " + known.iterator().next();
            default ->
                "; the device classes are " + list(known.stream().sorted().toList());
        };
    }

    public static String contradictory(ContradictoryConstraints found, List<Claim> claims) {
        return "never fits: the constraints of "
                + (claims.size() > 1 ? found.claim().ref().name() : "the claim")
                + " require "
                + found.attribute()
                + " to be both equal and different";
    }

    /** A phrase about devices whose taint says that they do not work; it names the first ones. */
    String unhealthy(Finding.Stopped stopped) {
        return stopped.examples().stream()
                .map(example -> refusal(example.device().device(), example.refusal()))
                .collect(Collectors.joining(", "));
    }

    /** A phrase for several rejected devices, without the details in which they differ. */
    static String state(Reason reason) {
        return switch (reason) {
            case SelectorFailed -> "failing a selector";
            case Failed -> "with an error";
            case ConstraintNotMet -> "excluded by a constraint";
            case DevicesIncompatible -> "incompatible with what is allocated";
            case CountersExhausted -> "short of counters";
            case CapacityExhausted -> "short of capacity";
            case DevicesInUse -> "in use";
            case DevicesTainted -> "tainted";
            case DevicesUnhealthy -> "unhealthy";
            case NodeLacksFeature -> "not supported by the node's kubelet";
            case FeatureOff -> "needing a feature that is off";
            case CapacityNotOffered -> "without this amount of capacity";
            case NotReached -> "not accessible from the node";
            default -> "stopped by " + reason;
        };
    }

    /** A phrase about the devices of a node, for counting nodes. */
    static String nodeState(Reason reason) {
        return switch (reason) {
            case SelectorFailed -> "a selector fails";
            case Failed -> "an error";
            case NotTogether -> "not all requests together";
            case TooManyDevices -> "too many for a claim";
            case PoolInvalid -> "an invalid pool";
            case GroupsIgnored -> "compatibility groups with the gate off";
            case PoolIncomplete -> "an incomplete pool";
            case NoMatchingDevice -> "not selected";
            case NoDevices -> "too few devices"; // none, or fewer than requested
            case Undecided -> "undecided";
            default -> state(reason);
        };
    }

    /** A phrase that says why one device is rejected. */
    String refusal(String device, Refusal refusal) {
        return refusals.of(device, refusal);
    }

    /**
     * A phrase that says why no devices of a node, or no others, are selected.
     *
     * @param missingDriver the driver that the class requires, if there are no devices of it
     */
    static String notSelected(Finding finding, Finding.Stopped stopped, Optional<String> missingDriver) {
        String none = finding.found() > 0 ? "no other device " : "no device ";
        List<String> expressions = stopped.examples().stream()
                .flatMap(example -> example.refusal() instanceof Refusal.NotSelected rejected
                                && rejected.origin() == SelectorVerdict.Origin.REQUEST
                        ? Stream.of(rejected.expression().strip())
                        : Stream.<String>empty())
                .toList();
        if (expressions.isEmpty()) {
            return none + "is of class \"" + finding.request().deviceClassName() + '"'
                    + missingDriver
                            .map(driver -> ", because none has driver " + driver)
                            .orElse("");
        }
        int more = stopped.ways() - stopped.examples().size();
        return none + "matches " + shorten(String.join(" and ", expressions), MAX_BRIEF_EXPRESSION)
                + (more > 0 ? " and " + more + " more selectors" : "");
    }

    /** @param whose the origin of the selector, such as {@code of class "a"} */
    static String selectorFails(String whose, String device, String message) {
        Matcher celError = CEL_ERROR.matcher(message);
        return "the selector " + whose + " fails on " + device + ": "
                + (celError.matches() ? celError.group("cause") : message);
    }

    /** A hint on how to write a selector for devices that lack what it reads. */
    static Optional<String> rewritten(String message) {
        Matcher celError = CEL_ERROR.matcher(message);
        return celError.matches()
                ? Stream.of("write", "meant")
                        .flatMap(group -> Stream.ofNullable(celError.group(group)))
                        .findFirst()
                        .map(expression -> "write " + expression)
                : Optional.empty();
    }

    /** A phrase about devices that a selector does not match; null for other refusals. */
    static @Nullable String rejected(Finding finding, Finding.Example example) {
        if (!(example.refusal() instanceof Refusal.NotSelected rejected)) {
            return null;
        }
        String by = rejected.origin() == SelectorVerdict.Origin.CLASS
                ? "class \"" + finding.request().deviceClassName() + "\""
                : "the request";
        return example.devices() + (example.devices() == 1 ? " is" : " are") + " refused by " + by + " ("
                + shorten(rejected.expression().strip(), MAX_EXPRESSION) + ")";
    }
}
