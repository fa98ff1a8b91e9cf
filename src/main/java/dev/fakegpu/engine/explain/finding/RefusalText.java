package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import dev.fakegpu.engine.allocate.refusal.Blockers;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes why a device is rejected. */
final class RefusalText {

    private static final int MAX_VALUES = 8;

    private final NameScope reader;
    private final Function<Blocker, String> name;
    private final @Nullable CounterSets brief;

    /**
     * Creates texts for a reader.
     *
     * @param name formats the name of a claim or a request
     * @param brief the short names of counter sets, for short texts; null for full texts
     */
    RefusalText(NameScope reader, Function<Blocker, String> name, @Nullable CounterSets brief) {
        this.reader = reader;
        this.name = name;
        this.brief = brief;
    }

    /** Why one device is rejected. */
    String of(String device, Refusal refusal) {
        if (refusal instanceof Refusal.GroupsIncompatible incompatible) {
            return device + incompatible(device, incompatible);
        }
        if (refusal instanceof Refusal.CounterShort counter) {
            return device + " needs " + counter.needed() + " " + counter.counter() + on(device, counter.counterSet())
                    + ", of which " + counter.free().max(Quantity.ZERO) + " are free"
                    + heldBy(counter.blockers());
        }
        if (refusal instanceof Refusal.PoolOverdrawn counter) {
            return device + " is blocked because " + counter.counter() + " on " + hardware(counter.counterSet())
                    + " is overdrawn by " + counter.by() + heldBy(counter.blockers());
        }
        if (refusal instanceof Refusal.InUse inUse) {
            return device + " is held by " + names(inUse.blockers());
        }
        if (refusal instanceof Refusal.Tainted tainted && tainted.taint().meansUnhealthy()) {
            return device + " is unhealthy (" + tainted.taint().shortForm() + ")";
        }
        if (refusal instanceof Refusal.Tainted tainted) {
            return device + " has " + taint(tainted.taint())
                    + NearMissText.toleration(tainted.taint(), tainted.almost());
        }
        if (refusal instanceof Refusal.ConstraintViolated violated) {
            return device + violated(violated);
        }
        return refusal instanceof Refusal.SelectorFailed failed
                ? "on " + device + ", " + failed.message()
                : capacityOrFeature(device, refusal);
    }

    String taint(DeviceTaint taint) {
        if (taint.rule() == null) {
            return "the taint " + taint;
        }
        String rule = reader.includesAll() ? "DeviceTaintRule \"" + taint.rule() + "\"" : "a DeviceTaintRule";
        return "the taint " + taint + " of " + rule;
    }

    private String capacityOrFeature(String device, Refusal refusal) {
        if (refusal instanceof Refusal.CapacityShort capacity) {
            return device
                    + (capacity.blockers().isEmpty() ? "" : ", shared by " + names(capacity.blockers()) + ",")
                    + " has " + capacity.left().max(Quantity.ZERO) + " " + capacity.capacity() + " left, but "
                    + capacity.needed() + " are needed" + rounded(capacity);
        }
        if (refusal instanceof Refusal.PortionNotOffered portion) {
            return device
                    + (portion.amount() == null
                            ? " has no capacity \"" + portion.capacity() + "\"" + NearMissText.names(portion.instead())
                            : " offers " + offered(portion) + ", not " + portion.amount());
        }
        if (refusal instanceof Refusal.MissingNodeOperations missing) {
            return device + " skips " + Phrases.list(missing.operations()) + " on the node, "
                    + (missing.featureOff()
                            ? off(Feature.OPTIONAL_NODE_OPERATIONS)
                            : "which the node's kubelet does not support");
        }
        if (refusal instanceof Refusal.BindingConditionsOff) {
            return device + " has binding conditions, " + off(Feature.DEVICE_BINDING_AND_STATUS);
        }
        if (refusal instanceof Refusal.CountersNotSupported) {
            return device + " consumes counters, " + off(Feature.PARTITIONABLE_DEVICES);
        }
        if (refusal instanceof Refusal.NotReached reached) {
            return device + " is only for " + NodesText.of(reached.nodes());
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
                : " (" + capacity.requested() + " rounded up by the device's policy)";
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

    private String incompatible(String device, Refusal.GroupsIncompatible refusal) {
        String on = on(device, refusal.counterSet());
        String wants = (refusal.groups().isEmpty()
                        ? " declares no compatibility group"
                        : " needs group " + quoted(refusal.groups(), " or "))
                + on;
        if (refusal.blockers().isEmpty()) {
            return wants + ", but lists its counter set twice, with different groups";
        }
        return wants + (on.isEmpty() ? " and is held " : ", held ") + heldWith(refusal.state()) + " by "
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
            return " lacks " + refusal.attribute() + NearMissText.names(refusal.instead()) + ", which must "
                    + (refusal.isMatch() ? "be equal" : "differ") + " for the claim's devices";
        }
        String has = " has " + refusal.attribute() + " " + value;
        if (refusal.against() == null) {
            return has + ", which fits no combination of the claim's other devices";
        }
        return has + " and must " + (refusal.isMatch() ? "agree with " : "differ from ")
                + refusal.against().device() + ", which has " + refusal.othersValue();
    }

    private String hardware(String counterSet) {
        return brief == null ? counterSet : brief.text(counterSet);
    }

    /** The hardware of the counter set, unless the device has the same name. */
    private String on(String device, String counterSet) {
        String hardware = hardware(counterSet);
        return hardware.equals(device) ? "" : " on " + hardware;
    }

    private String heldBy(Blockers holders) {
        String held = "held by " + holders(holders);
        return holders.isEmpty() ? "" : brief == null ? "; " + held : " (" + held + ")";
    }

    private String names(Blockers holders) {
        return Phrases.list(holders.list().stream().map(name).toList());
    }

    /** The holders; their devices are included only in full texts. */
    private String holders(Blockers holders) {
        return brief != null
                ? names(holders)
                : Phrases.list(holders.list().stream()
                        .map(holder -> name.apply(holder) + " (" + Phrases.list(holder.devices()) + ")")
                        .toList());
    }
}
