package dev.fakegpu.explain;

import dev.fakegpu.allocate.GroupState;
import dev.fakegpu.allocate.Verdict;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts findings into words: the most telling device in full, the rest in numbers. */
final class Sentence {

    private static final int MAX_LISTED = 3;
    private static final int MAX_OTHER_NODES = 2;
    private static final int MAX_EXPRESSION = 160;

    private final boolean severalNodes;
    private final boolean severalClaims;

    Sentence(int nodes, int claims) {
        severalNodes = nodes > 1;
        severalClaims = claims > 1;
    }

    String write(Finding chosen, List<Finding> all, List<ClaimRef> toRelease) {
        var text = new StringBuilder(bounded(opening(chosen) + ": " + onNode(chosen) + obstacle(chosen)));
        clauses(chosen, all, toRelease).forEach(clause -> append(text, "; " + clause));
        return text.toString();
    }

    /** Later clauses are left out as a whole where there is no room for them. */
    private static void append(StringBuilder text, String clause) {
        if (text.length() + clause.length() <= Explanation.MAX_SENTENCE) {
            text.append(clause);
        }
    }

    static String bounded(String text) {
        return shorten(text, Explanation.MAX_SENTENCE);
    }

    private static String shorten(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 3) + "...";
    }

    private String opening(Finding finding) {
        String request = name(finding.claim(), finding.request().name());
        if (!finding.alongside().isEmpty()) {
            return request + " fits alone, but not together with " + alongside(finding.alongside());
        }
        return finding.found() > 0
                ? "only " + finding.found() + " of " + finding.request().count() + " devices for " + request
                : "no device for " + request;
    }

    private String name(ClaimRef claim, String request) {
        return "request \"" + request + "\"" + (severalClaims ? " of " + claim : "");
    }

    private String name(Holder holder) {
        return holder.isOther() ? holder.claim().toString() : name(holder.claim(), holder.request());
    }

    private String alongside(List<RequestRef> requests) {
        return requests.size() > MAX_LISTED
                ? "the " + requests.size() + " requests before it"
                : requests.stream()
                        .map(request -> name(request.claim(), request.request()))
                        .collect(Collectors.joining(" and "));
    }

    private String onNode(Finding finding) {
        return severalNodes ? "on " + finding.node() + ": " : "";
    }

    private String obstacle(Finding finding) {
        Reason reason = finding.reason();
        if (!finding.pools().isEmpty() && finding.pools().get(0).reason() == reason) {
            return finding.pools().get(0).sentence();
        }
        return switch (reason) {
            case NoDevices -> finding.found() > 0 ? "there are no more devices" : "there are no devices";
            case NoMatchingDevice -> notSelected(finding);
            default ->
                obstacle(
                        finding.stopped().get(0).example(),
                        finding.stopped().get(0).obstacle());
        };
    }

    private String obstacle(DeviceId device, Obstacle obstacle) {
        if (obstacle instanceof Obstacle.Incompatible incompatible) {
            return device.device() + incompatible(incompatible);
        }
        if (obstacle instanceof Obstacle.CounterShort counter) {
            return counterShort(device.device(), counter);
        }
        if (obstacle instanceof Obstacle.InUse inUse) {
            return device.device() + " is held by "
                    + list(inUse.holders().stream().map(this::name).toList());
        }
        if (obstacle instanceof Obstacle.Tainted tainted) {
            return device.device() + " has the taint " + tainted.taint() + ", which the request does not tolerate";
        }
        if (obstacle instanceof Obstacle.SelectorFailure failure) {
            return "on " + device.device() + ", " + failure.message();
        }
        return device.device() + " is not selected";
    }

    private String incompatible(Obstacle.Incompatible obstacle) {
        String wants = obstacle.groups().isEmpty()
                ? " declares no compatibility group on "
                : " needs group " + quoted(obstacle.groups(), " or ") + " on ";
        if (obstacle.holders().isEmpty()) {
            return wants + obstacle.counterSet() + ", which it names a second time with other groups";
        }
        return wants + obstacle.counterSet() + ", which is held " + heldWith(obstacle.state()) + " by "
                + holders(obstacle.holders());
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

    private String counterShort(String device, Obstacle.CounterShort obstacle) {
        String held = obstacle.holders().isEmpty() ? "" : "; held by " + holders(obstacle.holders());
        if (obstacle.needed().signum() == 0) {
            return device + " is blocked because " + obstacle.counter() + " on " + obstacle.counterSet()
                    + " is overdrawn by " + Quantity.ZERO.minus(obstacle.free()) + held;
        }
        return device + " needs " + obstacle.needed() + " " + obstacle.counter() + " on " + obstacle.counterSet()
                + ", of which " + obstacle.free().max(Quantity.ZERO) + " are free" + held;
    }

    private String holders(List<Holder> holders) {
        return list(holders.stream()
                .map(holder -> name(holder) + " (" + list(holder.devices()) + ")")
                .toList());
    }

    private static String list(List<String> items) {
        String listed = items.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        return items.size() > MAX_LISTED ? listed + " and " + (items.size() - MAX_LISTED) + " more" : listed;
    }

    private static String notSelected(Finding finding) {
        String parts = finding.stopped().stream()
                .filter(stopped -> stopped.obstacle() instanceof Obstacle.NotSelected)
                .limit(MAX_LISTED)
                .map(stopped -> rejected(finding, stopped))
                .collect(Collectors.joining(", "));
        long others = finding.considered() - finding.found();
        return (finding.found() > 0 ? "none of the other " : "none of ") + others
                + (others == 1 ? " device" : " devices") + " is selected: " + parts;
    }

    private static String rejected(Finding finding, Finding.Stopped stopped) {
        var obstacle = (Obstacle.NotSelected) stopped.obstacle();
        String by = obstacle.origin() == Verdict.Origin.CLASS
                ? "class \"" + finding.request().deviceClassName() + "\""
                : "the request";
        return stopped.count() + (stopped.count() == 1 ? " is" : " are") + " refused by " + by + " ("
                + shorten(obstacle.expression().strip(), MAX_EXPRESSION) + ")";
    }

    private List<String> clauses(Finding chosen, List<Finding> all, List<ClaimRef> toRelease) {
        var clauses = new ArrayList<String>();
        if (chosen.reason().compareTo(Reason.DevicesTainted) <= 0) {
            addOtherDevices(clauses, chosen);
        } else if (chosen.reason() != Reason.NoMatchingDevice
                && !chosen.stopped().isEmpty()) {
            clauses.add(notSelected(chosen));
        }
        if (!toRelease.isEmpty()) {
            clauses.add("it would fit if "
                    + list(toRelease.stream().map(ClaimRef::toString).toList())
                    + (toRelease.size() == 1 ? " were released" : " were all released"));
        }
        addOtherNodes(clauses, chosen, all);
        return clauses;
    }

    private static void addOtherDevices(List<String> clauses, Finding chosen) {
        Finding.Stopped first = chosen.stopped().get(0);
        int same = first.count() - 1;
        if (same > 0) {
            clauses.add(
                    same == 1
                            ? "1 more device is stopped the same way"
                            : same + " more devices are stopped the same way");
        }
        for (Reason reason : Reason.values()) {
            int count = chosen.stopped().stream()
                    .skip(1)
                    .filter(stopped -> stopped.obstacle().reason() == reason)
                    .mapToInt(Finding.Stopped::count)
                    .sum();
            if (count > 0 && reason != Reason.NoMatchingDevice) {
                clauses.add(count + " more " + (count == 1 ? "is " : "are ") + state(reason));
            }
        }
    }

    private static String state(Reason reason) {
        return switch (reason) {
            case DevicesIncompatible -> "incompatible with what is allocated";
            case CountersExhausted -> "short of counters";
            case DevicesInUse -> "in use";
            case DevicesTainted -> "tainted";
            default -> "stopped by " + reason;
        };
    }

    private void addOtherNodes(List<String> clauses, Finding chosen, List<Finding> all) {
        Set<String> nodes = new LinkedHashSet<>();
        List<Finding> mostTellingFirst =
                all.stream().sorted(Comparator.comparing(Finding::reason)).toList();
        for (Finding finding : mostTellingFirst) {
            if (!finding.node().equals(chosen.node()) && nodes.add(finding.node()) && nodes.size() <= MAX_OTHER_NODES) {
                clauses.add(onNode(finding) + obstacle(finding));
            }
        }
        if (nodes.size() > MAX_OTHER_NODES) {
            int rest = nodes.size() - MAX_OTHER_NODES;
            clauses.add(rest == 1 ? "and 1 more node" : "and " + rest + " more nodes");
        }
    }
}
