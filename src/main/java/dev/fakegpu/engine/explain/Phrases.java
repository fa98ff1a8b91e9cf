package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NameScope;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.RequestError;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.SelectorVerdict;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import dev.fakegpu.engine.allocate.refusal.Blockers;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import dev.fakegpu.util.Suggestion;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The wording of explanations, one method for each fact. {@link Sentence} puts the parts together.
 */
final class Phrases {

    private static final int MAX_LISTED = 3;
    private static final int MAX_EXPRESSION = 160;
    private static final int MAX_VALUES = 8;

    private final boolean namesClaims;
    private final NameScope reader;

    private Phrases(boolean namesClaims, NameScope reader) {
        this.namesClaims = namesClaims;
        this.reader = reader;
    }

    /** For an explanation of one claim: requests are named without their claim. */
    static Phrases ofOneClaim(NameScope reader) {
        return new Phrases(false, reader);
    }

    /** For an explanation of several claims: requests are named with their claim. */
    static Phrases namingClaims(NameScope reader) {
        return new Phrases(true, reader);
    }

    static String allocatable(String node) {
        return "nothing is in the way on " + node;
    }

    /** @param error on a node that keeps the scheduler from trying others */
    static String stopsAllNodes(String node, String error, String allocatable) {
        return "on " + node + ", " + error + "; this stops the attempt on all nodes, although "
                + allocatable(allocatable);
    }

    static String noNode() {
        return "there is no node to take devices from";
    }

    static String tooManyCombinations() {
        return "too many combinations";
    }

    static String invalidPool(Pool.Invalid pool) {
        return "pool " + pool.id() + " is invalid: " + pool.reason();
    }

    /** While slices are missing without numbers, so that a pool that is written slice by slice causes a single event. */
    static String incompletePool(Pool.Incomplete pool) {
        return pool.found() > pool.expected()
                ? "pool " + pool.id() + " cannot be used: resourceSliceCount says " + pool.expected() + ", but "
                        + (pool.found() == 1 ? "1 slice is" : pool.found() + " slices are") + " there"
                : "pool " + pool.id() + " is being updated: not all of its slices are there yet";
    }

    static String namesake(DeviceId device, String node) {
        return node + " has a device of this name in pool " + device.poolId()
                + ", too, and only one of them can be allocated";
    }

    static String supersededPool(PoolId pool, SliceIndex.Superseded by) {
        boolean isOne = by.newer().size() == 1;
        return "pool " + pool + " cannot be used: ResourceSlice" + (isOne ? " " : "s ") + quotedList(by.newer())
                + (isOne ? " says" : " say") + " generation " + by.newerGeneration() + " of "
                + (by.sliceCount() == 1 ? "1 slice" : by.sliceCount() + " slices") + ", of which "
                + by.newer().size()
                + (isOne ? " is" : " are") + " there, and " + (isOne ? "does" : "do") + " not belong to generation "
                + by.generation() + ", which is complete (" + quotedList(by.complete()) + ")";
    }

    private static String quotedList(List<String> names) {
        return list(names.stream().map(name -> '"' + name + '"').toList());
    }

    static String slicesWithGroups(long count) {
        return (count == 1 ? "1 slice uses" : count + " slices use")
                + " compatibility groups, and with the gate off their pools are left alone";
    }

    static String slicesWithUnknownFeatures(long count) {
        return (count == 1 ? "1 slice uses" : count + " slices use")
                + " shared counters or nodes per device, and with the feature off "
                + (count == 1 ? "it is" : "they are") + " left alone";
    }

    /** @param found how many devices there are for the request nevertheless */
    static String noDevices(long found) {
        return found > 0 ? "there are no more devices to allocate" : "there are no devices to allocate";
    }

    /** @param fakeGpus whose devices another allocator allocates */
    static String onlyOthers(long found, Collection<String> fakeGpus, String allocator) {
        return noDevices(found) + " except those of " + (fakeGpus.size() == 1 ? "FakeGpu " : "FakeGpus ")
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

    private String name(Blocker holder) {
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
     * An error in a request. A claim is named only among several, so that the same can be said to all who make the same mistake.
     *
     * @param claims all of the pod
     */
    static String fault(RequestError fault, List<Claim> claims) {
        if (fault instanceof RequestError.UnknownClass unknown) {
            return request(unknown.claim(), unknown.request(), claims)
                    + (unknown.deviceClass().isEmpty()
                            ? " names no device class"
                            : " is for device class \"" + unknown.deviceClass() + "\", which does not exist");
        }
        if (fault instanceof RequestError.TooManyDevices tooMany) {
            return request(tooMany.claim(), tooMany.request(), claims) + " is for " + tooMany.count() + " devices"
                    + (tooMany.before() > 0 ? " after " + tooMany.before() : "") + "; a claim can have "
                    + tooMany.limit();
        }
        if (fault instanceof RequestError.Unsupported unsupported) {
            return (claims.size() > 1 ? unsupported.claim().name() : "the claim") + " cannot be allocated here: "
                    + (unsupported.request().isEmpty() ? "" : "request \"" + unsupported.request() + "\": ")
                    + unsupported.message();
        }
        if (fault instanceof RequestError.PoolUnusable unusable) {
            return request(unusable.claim(), unusable.request(), claims) + " is for all devices, and pool "
                    + unusable.pool().id() + " is not usable";
        }
        return fault instanceof RequestError.SelectorFailed failed
                ? "on " + failed.device() + ", " + failed.message()
                : ((RequestError.Other) fault).message();
    }

    private static String request(ClaimRef claim, String request, List<Claim> claims) {
        return "request \"" + request + "\"" + (claims.size() > 1 ? " of " + claim.name() : "");
    }

    static String tooManyTogether() {
        return "the claim would get more devices than a claim can have";
    }

    static String tooSlow() {
        return "evaluating the selectors takes too long to say which devices fit";
    }

    static String undecided() {
        return "there are too many combinations of devices to try them all";
    }

    String remedy(Remedy remedy) {
        if (remedy instanceof Remedy.Release release) {
            return "it would fit if "
                    + list(release.claims().stream().map(reader::withUsers).toList())
                    + (release.claims().size() == 1 ? " were released" : " were all released");
        }
        if (remedy instanceof Remedy.Recover recover) {
            return "it would fit if "
                    + list(recover.devices().stream().map(DeviceId::device).toList()) + " recovered";
        }
        if (remedy instanceof Remedy.DeleteSlices delete) {
            return "it would fit if " + (delete.names().size() == 1 ? "ResourceSlice " : "ResourceSlices ")
                    + quotedList(delete.names())
                    + (delete.names().size() == 1 ? " were deleted" : " were all deleted");
        }
        return remedy instanceof Remedy.Tolerate tolerate
                ? "it would fit if " + taint(tolerate.taint()) + " were tolerated"
                : "it would fit if pool " + ((Remedy.CompletePool) remedy).pool() + " were complete as it is";
    }

    /** @param explanation according to which nothing that could be released would help */
    static String neverFits(Explanation explanation) {
        long everlasting =
                explanation.everlasting().stream().map(Finding::node).distinct().count();
        if (everlasting < explanation.nodes()) {
            return "never fits on any node that has devices to allocate";
        }
        return everlasting > 1
                ? "never fits on these nodes"
                : neverFits(explanation.findings().get(0).node());
    }

    static String neverFits(String node) {
        return "never fits on " + node;
    }

    /** @param known the names of classes that exist */
    static String fault(RequestError fault, List<Claim> claims, Collection<String> known) {
        return fault(fault, claims)
                + (fault instanceof RequestError.UnknownClass unknown
                        ? Suggestion.hint(unknown.deviceClass(), known)
                        : "");
    }

    static String contradictory(ContradictoryConstraints found, List<Claim> claims) {
        return "never fits: by its constraints, devices of "
                + (claims.size() > 1 ? found.claim().ref().name() : "the claim")
                + " must both agree and differ in "
                + found.attribute();
    }

    /** Devices whose taint says that they do not work; the first of them by name. */
    String unhealthy(Finding.Stopped stopped) {
        return stopped.examples().stream()
                .map(example -> refusal(example.device().device(), example.refusal()))
                .collect(Collectors.joining(", "));
    }

    /** A phrase for several rejected devices, without the details in which they differ. */
    static String state(Reason reason) {
        return switch (reason) {
            case SelectorFailed -> "something that a selector fails on";
            case Failed -> "something that cannot be judged";
            case ConstraintNotMet -> "kept off by a constraint";
            case DevicesIncompatible -> "incompatible with what is allocated";
            case CountersExhausted -> "short of counters";
            case CapacityExhausted -> "short of capacity";
            case DevicesInUse -> "in use";
            case DevicesTainted -> "tainted";
            case DevicesUnhealthy -> "unhealthy";
            case NodeLacksFeature -> "beyond what the node's kubelet knows";
            case FeatureOff -> "in need of a feature that is off";
            case CapacityNotOffered -> "without such a portion of capacity";
            case NotReached -> "out of the node's reach";
            default -> "stopped by " + reason;
        };
    }

    /** What there is about the devices of a node, for counting nodes. */
    static String nodeState(Reason reason) {
        return switch (reason) {
            case SelectorFailed -> "a selector fails";
            case Failed -> "an error";
            case NotTogether -> "not all together";
            case TooManyDevices -> "too many for a claim";
            case PoolInvalid -> "an invalid pool";
            case GroupsIgnored -> "compatibility groups with the gate off";
            case PoolIncomplete -> "an incomplete pool";
            case NoMatchingDevice -> "not selected";
            case NoDevices -> "too few devices"; // none, or fewer than are requested
            case Undecided -> "undecided";
            default -> state(reason);
        };
    }

    /** Why one device is rejected. */
    String refusal(String device, Refusal refusal) {
        if (refusal instanceof Refusal.GroupsIncompatible incompatible) {
            return device + incompatible(incompatible);
        }
        if (refusal instanceof Refusal.CounterShort counter) {
            return device + " needs " + counter.needed() + " " + counter.counter() + " on " + counter.counterSet()
                    + ", of which " + counter.free().max(Quantity.ZERO) + " are free" + heldBy(counter.blockers());
        }
        if (refusal instanceof Refusal.PoolOverdrawn counter) {
            return device + " is blocked because " + counter.counter() + " on " + counter.counterSet()
                    + " is overdrawn by " + counter.by() + heldBy(counter.blockers());
        }
        if (refusal instanceof Refusal.InUse inUse) {
            return device + " is held by " + names(inUse.blockers());
        }
        if (refusal instanceof Refusal.Tainted tainted && tainted.taint().meansUnhealthy()) {
            return device + " is unhealthy (" + tainted.taint().shortForm() + ")";
        }
        if (refusal instanceof Refusal.Tainted tainted) {
            return device + " has " + taint(tainted.taint()) + ", which the request does not tolerate"
                    + NearMissText.toleration(tainted.taint(), tainted.almost());
        }
        if (refusal instanceof Refusal.ConstraintViolated violated) {
            return device + violated(violated);
        }
        return refusal instanceof Refusal.SelectorFailed failed
                ? "on " + device + ", " + failed.message()
                : capacityOrFeature(device, refusal);
    }

    private String taint(DeviceTaint taint) {
        if (taint.rule() == null) {
            return "the taint " + taint;
        }
        String rule = reader.includesAll() ? "DeviceTaintRule \"" + taint.rule() + "\"" : "a DeviceTaintRule";
        return "the taint " + taint + " of " + rule;
    }

    private String capacityOrFeature(String device, Refusal refusal) {
        if (refusal instanceof Refusal.CapacityShort capacity) {
            return device + " has " + capacity.left().max(Quantity.ZERO) + " " + capacity.capacity()
                    + " left where " + capacity.needed() + " are needed" + rounded(capacity)
                    + (capacity.blockers().isEmpty() ? "" : "; shared by " + names(capacity.blockers()));
        }
        if (refusal instanceof Refusal.PortionNotOffered portion) {
            return device
                    + (portion.amount() == null
                            ? " has no capacity \"" + portion.capacity() + "\"" + NearMissText.name(portion.similar())
                            : " hands out " + offered(portion) + ", never " + portion.amount());
        }
        if (refusal instanceof Refusal.MissingNodeOperations missing) {
            return device + " does without " + list(missing.operations()) + " of the node, "
                    + (missing.featureOff()
                            ? off(Feature.OPTIONAL_NODE_OPERATIONS)
                            : "which the node's kubelet does not know");
        }
        if (refusal instanceof Refusal.BindingConditionsOff) {
            return device + " has binding conditions, " + off(Feature.DEVICE_BINDING_AND_STATUS);
        }
        if (refusal instanceof Refusal.CountersNotSupported) {
            return device + " consumes counters, " + off(Feature.PARTITIONABLE_DEVICES);
        }
        if (refusal instanceof Refusal.NotReached) {
            return device + " cannot be reached from the node";
        }
        return refusal instanceof Refusal.Broken broken ? broken.message() : device + " is not selected";
    }

    private static String rounded(Refusal.CapacityShort capacity) {
        if (capacity.requested() == null) {
            return capacity.needed().compareTo(capacity.total()) == 0
                    ? " (all, since the request names no amount)"
                    : "";
        }
        return capacity.requested().compareTo(capacity.needed()) == 0
                ? ""
                : " (" + capacity.requested() + " asked, " + capacity.needed() + " by the device's policy)";
    }

    private static String offered(Refusal.PortionNotOffered portion) {
        DeviceCapacity.RequestPolicy policy = portion.policy();
        String of = " of " + portion.capacity();
        if (policy == null) {
            return "other amounts" + of;
        }
        DeviceCapacity.Range range = policy.validRange();
        return range == null ? oneOf(policy.validValues()) + of : range(range, of);
    }

    private static String oneOf(List<Quantity> values) {
        List<String> shown =
                values.stream().limit(MAX_VALUES).map(Quantity::toString).toList();
        int more = values.size() - shown.size();
        if (more > 0) {
            return String.join(", ", shown) + " and " + more + " other amounts";
        }
        int last = shown.size() - 1;
        return last < 1
                ? "only " + String.join("", shown)
                : String.join(", ", shown.subList(0, last)) + " or " + shown.get(last);
    }

    private static String range(DeviceCapacity.Range range, String of) {
        String from = range.min() == null ? "up to" : range.min().toString();
        String to = range.max() == null ? " or more" : (range.min() == null ? " " : " to ") + range.max();
        return from + to + of + (range.step() == null ? "" : " in steps of " + range.step());
    }

    private static String off(Feature feature) {
        return "and the feature " + feature.gates().get(0) + " is off";
    }

    private String incompatible(Refusal.GroupsIncompatible refusal) {
        String wants = refusal.groups().isEmpty()
                ? " declares no compatibility group on "
                : " needs group " + quoted(refusal.groups(), " or ") + " on ";
        if (refusal.blockers().isEmpty()) {
            return wants + refusal.counterSet() + ", which it names a second time with other groups";
        }
        return wants + refusal.counterSet() + ", which is held " + heldWith(refusal.state()) + " by "
                + holders(refusal.blockers());
    }

    private static String heldWith(GroupState state) {
        if (state instanceof GroupState.Grouped grouped) {
            return switch (grouped.common().size()) {
                case 0 -> "without a common group";
                case 1 -> "with group " + quoted(grouped.common(), "");
                default -> "with groups " + quoted(grouped.common(), " and ");
            };
        }
        return "without a group";
    }

    private static String quoted(Collection<String> names, String separator) {
        return names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(separator));
    }

    private static String violated(Refusal.ConstraintViolated refusal) {
        AttributeValue value = refusal.value();
        if (value == null) {
            return " lacks " + refusal.attribute() + NearMissText.name(refusal.similar())
                    + ", in which the claim's devices must " + (refusal.isMatch() ? "agree" : "differ");
        }
        String has = " has " + refusal.attribute() + " " + value;
        if (refusal.against() == null) {
            return has + ", which does not go with the claim's other devices together";
        }
        return has + " and must " + (refusal.isMatch() ? "agree with " : "differ from ")
                + refusal.against().device() + ", which has " + refusal.othersValue();
    }

    private String heldBy(Blockers holders) {
        return holders.isEmpty() ? "" : "; held by " + holders(holders);
    }

    private String names(Blockers holders) {
        return list(holders.list().stream().map(this::name).toList());
    }

    private String holders(Blockers holders) {
        return list(holders.list().stream()
                .map(holder -> name(holder) + " (" + list(holder.devices()) + ")")
                .toList());
    }

    /** Devices that a selector does not match; null for other refusals. */
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
