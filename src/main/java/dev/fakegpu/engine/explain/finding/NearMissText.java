package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.engine.allocate.refusal.NamesThere;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes what the author of a claim probably meant, and why it does not work. */
final class NearMissText {

    private static final Set<String> OPERATORS = Set.of("", "Equal", "Exists");

    private NearMissText() {}

    /** @param almost a toleration of the request that was probably meant for the taint; null if there is none */
    static String toleration(DeviceTaint taint, @Nullable DeviceToleration almost) {
        return almost == null ? "" : " (the request's toleration " + difference(taint, almost) + ")";
    }

    private static String difference(DeviceTaint taint, DeviceToleration almost) {
        if (!OPERATORS.contains(almost.operator())) {
            return "has operator \"" + almost.operator() + "\"; allowed: Equal, Exists";
        }
        if (!almost.effect().isEmpty() && !almost.effect().equals(taint.effect())) {
            return "is for the effect " + almost.effect();
        }
        return almost.value().isEmpty()
                ? "has operator Equal, which compares the value: use Exists"
                : "is for the value \"" + almost.value() + "\"";
    }

    /** @param instead the names that the device has instead; null if it has the name */
    static String names(@Nullable NamesThere instead) {
        if (instead == null) {
            return "";
        }
        if (instead.similar() != null) {
            return " (it has \"" + instead.similar() + "\"; schedulers compare the names as written)";
        }
        return instead.all().isEmpty() ? "" : " (it has " + Phrases.list(instead.all()) + ")";
    }
}
