package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.engine.allocate.pool.SelectorVerdict;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The part of a sentence about one finding: which request fails, and what is in the way. */
record FindingText(Explanation explanation, Phrases phrases) {

    private static final Set<Reason> LACK = EnumSet.of(Reason.NoMatchingDevice, Reason.NoDevices);

    /** Says what is refused, and what is in the way. */
    String statement(Finding finding) {
        if (isPlainLack(finding)) {
            return obstacle(finding) + " (" + name(finding) + ")";
        }
        return isUndecidable(finding) && !finding.isAlternative()
                ? obstacle(finding)
                : opening(finding) + ": " + obstacle(finding);
    }

    /** Whether the only thing to say is that no device matches. */
    static boolean isPlainLack(Finding finding) {
        return finding.problem() == null
                && finding.found() == 0
                && !finding.isAlternative()
                && finding.alongside().isEmpty()
                && isLack(finding);
    }

    /** Whether devices are missing, and pools are not the reason. */
    static boolean isLack(Finding finding) {
        return LACK.contains(finding.reason()) && finding.pools().isEmpty();
    }

    String opening(Finding finding) {
        String request = name(finding);
        String option = finding.isAlternative() ? option(finding) : "";
        String some = some(finding);
        if (isUndecidable(finding)) {
            return request + " cannot be decided" + option;
        }
        if (!finding.alongside().isEmpty()) {
            return request + " fits alone, but not together with " + phrases.alongside(finding.alongside()) + option;
        }
        if (finding.isAlternative()) {
            return "no alternative of " + request + " fits" + option + (some.isEmpty() ? "" : " with " + some);
        }
        if (finding.request().isAll()
                && finding.stopped().isEmpty()
                && !finding.pools().isEmpty()) {
            return request + " needs all devices, but not all are known";
        }
        return (some.isEmpty() ? "no device" : some) + " for " + request;
    }

    static String some(Finding finding) {
        String all = finding.request().isAll() ? "all " : "";
        return finding.found() > 0 ? "only " + finding.found() + " of " + all + finding.wanted() + " devices" : "";
    }

    /** Names the alternative. Only if there is a remedy is it known to be the nearest. */
    private String option(Finding finding) {
        boolean isNearest = finding == explanation.findings().get(0) && explanation.remedy() != null;
        return (isNearest ? "; nearest is \"" : ": \"") + finding.request().name() + "\"";
    }

    /** Whether the request is for a number of devices of which only some can be allocated. */
    static boolean isShort(Finding finding) {
        return finding.found() > 0
                && !finding.request().isAll()
                && !finding.isAlternative()
                && finding.alongside().isEmpty()
                && !isUndecidable(finding);
    }

    private static boolean isUndecidable(Finding finding) {
        return failedSelector(finding).isPresent();
    }

    static Optional<Refusal.SelectorFailed> failedSelector(Finding finding) {
        return finding.problem() == null
                        && !finding.stopped().isEmpty()
                        && finding.stopped().get(0).examples().get(0).refusal() instanceof Refusal.SelectorFailed failed
                ? Optional.of(failed)
                : Optional.empty();
    }

    static boolean isOfClass(Refusal.SelectorFailed failed) {
        return failed.origin() == SelectorVerdict.Origin.CLASS;
    }

    static String someAnd(Finding finding) {
        String some = some(finding);
        return some.isEmpty() ? "" : some + ": ";
    }

    String obstacle(Finding finding) {
        Reason reason = finding.reason();
        if (finding.problem() != null) {
            return finding.problem().sentence();
        }
        if (isAboutPools(finding)) {
            return finding.pools().get(0).sentence();
        }
        return switch (reason) {
            case NoDevices -> Phrases.noDevices(finding.found());
            case NoMatchingDevice ->
                Phrases.notSelected(finding, finding.stopped().get(0), missingDriver(finding));
            case SelectorFailed -> selectorFailed(finding, finding.stopped().get(0));
            case DevicesUnhealthy -> phrases.unhealthy(finding.stopped().get(0));
            default ->
                aligned(finding).map(AlignmentText::obstacle).orElseGet(() -> {
                    Finding.Example first = finding.stopped().get(0).examples().get(0);
                    return phrases.refusal(first.device().device(), first.refusal());
                });
        };
    }

    /** Empty if not all pools are known, or if the class is named after its driver, which says enough. */
    private Optional<String> missingDriver(Finding finding) {
        List<Finding> onNodes = onNodes(finding);
        return onNodes.stream().allMatch(each -> each.pools().isEmpty())
                ? ValuesThere.missingDriver(values(onNodes))
                        .filter(driver -> !driver.equals(finding.request().deviceClassName()))
                : Optional.empty();
    }

    /** The findings about the same request or alternative. */
    List<Finding> onNodes(Finding finding) {
        return explanation.findings().stream()
                .filter(other -> other.requestRef().equals(finding.requestRef())
                        && other.resultName().equals(finding.resultName()))
                .toList();
    }

    static List<ValuesThere> values(List<Finding> findings) {
        return findings.stream().flatMap(finding -> finding.values().stream()).toList();
    }

    private Optional<AlignmentText> aligned(Finding finding) {
        return AlignmentText.of(finding, explanation, phrases);
    }

    /** A clause about the devices that the obstacle does not concern. */
    Optional<String> rest(Finding finding) {
        return aligned(finding).map(AlignmentText::others).orElseGet(() -> otherDevices(finding));
    }

    static boolean isAboutPools(Finding finding) {
        return finding.problem() == null
                && !finding.pools().isEmpty()
                && finding.pools().get(0).reason() == finding.reason();
    }

    private String selectorFailed(Finding finding, Finding.Stopped stopped) {
        Finding.Example first = stopped.examples().get(0);
        return failedSelector(finding)
                .map(failed -> Phrases.selectorFails(
                        isOfClass(failed)
                                ? "of class \"" + finding.request().deviceClassName() + '"'
                                : "of " + name(finding),
                        first.device().device(),
                        failed.message()))
                .orElseGet(() -> phrases.refusal(first.device().device(), first.refusal()));
    }

    /** As in upstream, a selector that fails on one device ends the whole search. */
    static String stopped(Finding finding, Refusal.SelectorFailed failed) {
        int matching = finding.request().isAll() ? 0 : finding.considered() - finding.notMatching();
        return (isOfClass(failed) ? "this stops every claim of the class" : "this stops the claim")
                + (matching > 0
                        ? ", although " + Phrases.devices(matching) + (matching == 1 ? " matches" : " match")
                        : "");
    }

    /** A text such as {@code 3 more likewise, 1 in use}. */
    private static Optional<String> otherDevices(Finding finding) {
        var parts = new ArrayList<String>();
        int clause = 0;
        for (Finding.Stopped stopped : finding.stopped()) {
            if (stopped.reason() == Reason.NoMatchingDevice) {
                continue;
            }
            boolean isFirst = clause++ == 0;
            int same = isFirst ? devicesInFull(stopped) : 0;
            if (same > 1 && stopped.reason() != Reason.DevicesUnhealthy) {
                parts.add(same - 1 + more(parts) + " likewise");
            }
            int others = stopped.devices() - same;
            if (others > 0) {
                parts.add(others + more(parts) + " "
                        + (isFirst ? unlikeTheFirst(stopped) : Phrases.state(stopped.reason())));
            }
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", parts));
    }

    /** How the other devices differ from the first one. */
    private static String unlikeTheFirst(Finding.Stopped stopped) {
        List<Refusal> refusals =
                stopped.examples().stream().map(Finding.Example::refusal).toList();
        String values = refusals.get(0) instanceof Refusal.ConstraintViolated told ? otherValues(told, refusals) : "";
        if (!values.isEmpty()) {
            return "with " + values + (stopped.ways() > refusals.size() ? " and other values" : "");
        }
        boolean isOneCapacity = stopped.ways() == refusals.size()
                && refusals.get(0) instanceof Refusal.CapacityShort told
                && refusals.stream()
                        .allMatch(refusal -> refusal instanceof Refusal.CapacityShort each
                                && each.capacity().equals(told.capacity()));
        return isOneCapacity ? "with less left" : Phrases.state(stopped.reason());
    }

    /** The other values of the same attribute; empty if other devices are refused for another reason. */
    private static String otherValues(Refusal.ConstraintViolated told, List<Refusal> refusals) {
        boolean isOneAttribute = refusals.stream()
                .allMatch(refusal -> refusal instanceof Refusal.ConstraintViolated each
                        && each.attribute().equals(told.attribute())
                        && each.value() != null);
        return isOneAttribute
                ? refusals.stream()
                        .map(refusal -> String.valueOf(((Refusal.ConstraintViolated) refusal).value()))
                        .filter(value -> !value.equals(String.valueOf(told.value())))
                        .distinct()
                        .collect(Collectors.joining(", "))
                : "";
    }

    private static String more(List<String> parts) {
        return parts.isEmpty() ? " more" : "";
    }

    /** The number of devices that the obstacle is about. */
    private static int devicesInFull(Finding.Stopped stopped) {
        return stopped.reason() == Reason.DevicesUnhealthy
                ? stopped.examples().size()
                : stopped.examples().get(0).devices();
    }

    String name(Finding finding) {
        return phrases.name(finding.claim(), finding.requestName());
    }
}
