package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Claim;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The {@link KnownFindings} of the most recently explained claims. Not thread-safe. */
public final class KnownClaims {

    /** A finding takes at most a few KiB. */
    private static final int MAX_FINDINGS = 10_000;

    private static final int MAX_CLAIMS = 64;

    private final int maxFindings;
    private final Map<List<Object>, KnownFindings> byClaims = new LinkedHashMap<>(16, 0.75f, true);

    public KnownClaims() {
        this(MAX_FINDINGS);
    }

    /** @param maxFindings the maximum for all claims together; those of the claims that were explained last are kept even beyond it */
    KnownClaims(int maxFindings) {
        this.maxFindings = maxFindings;
    }

    /** The findings for these claims, or for another claim with the same spec; new ones if they were removed or never existed. */
    public KnownFindings of(List<Claim> claims) {
        forgetOldest();
        return byClaims.computeIfAbsent(KnownFindings.scope(claims), ignored -> new KnownFindings());
    }

    private void forgetOldest() {
        int findings = byClaims.values().stream().mapToInt(KnownFindings::size).sum();
        Iterator<KnownFindings> oldest = byClaims.values().iterator();
        while (byClaims.size() > 1 && (findings > maxFindings || byClaims.size() > MAX_CLAIMS)) {
            findings -= oldest.next().size();
            oldest.remove();
        }
    }
}
