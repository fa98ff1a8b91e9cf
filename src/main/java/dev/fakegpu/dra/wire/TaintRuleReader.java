package dev.fakegpu.dra.wire;

import dev.fakegpu.dra.TaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import java.util.Optional;

/** Reads DeviceTaintRules. */
public final class TaintRuleReader {
    private TaintRuleReader() {}

    /**
     * Reads a rule; empty for a rule without {@code deviceSelector}. Such a rule selects nothing, whereas an empty selector selects
     * everything.
     */
    public static Optional<TaintRule> read(DeviceTaintRule rule) {
        if (rule.getSpec() == null || rule.getSpec().getTaint() == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(rule.getSpec().getDeviceSelector())
                .map(selector -> new TaintRule(
                        selector.getDriver(),
                        selector.getPool(),
                        selector.getDevice(),
                        SliceReader.taint(rule.getSpec().getTaint())
                                .ofRule(rule.getMetadata().getName())));
    }
}
