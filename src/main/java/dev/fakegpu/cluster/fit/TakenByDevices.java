package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import io.fabric8.kubernetes.api.model.Pod;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The amount that the devices of pods take of a resource of their node.
 *
 * @param claims a description of the claims with these devices; those in other namespaces are not named
 */
record TakenByDevices(BigDecimal amount, String claims) {

    private static final int MAX_LISTED = 3;

    /** @param namespace the namespace of the reader */
    static TakenByDevices of(Collection<Pod> pods, String resource, String namespace) {
        var claims = new TreeSet<String>();
        BigDecimal sum = BigDecimal.ZERO;
        boolean others = false;
        for (Pod pod : pods) {
            for (NodeAllocatableUse use : NodeAllocatableUses.of(pod)) {
                Optional<BigDecimal> taken =
                        Optional.ofNullable(use.amounts().get(resource)).filter(amount -> amount.signum() > 0);
                sum = sum.add(taken.orElse(BigDecimal.ZERO));
                if (taken.isPresent() && pod.getMetadata().getNamespace().equals(namespace)) {
                    claims.add(use.claim());
                }
                others |= taken.isPresent() && !pod.getMetadata().getNamespace().equals(namespace);
            }
        }
        return new TakenByDevices(sum, words(claims, others));
    }

    private static String words(TreeSet<String> claims, boolean others) {
        if (claims.isEmpty()) {
            return "devices of claims of other namespaces";
        }
        boolean more = others || claims.size() > MAX_LISTED;
        String listed = String.join(", ", claims.stream().limit(MAX_LISTED).toList());
        return "devices of claim%s %s%s".formatted(claims.size() > 1 ? "s" : "", listed, more ? " and others" : "");
    }
}
