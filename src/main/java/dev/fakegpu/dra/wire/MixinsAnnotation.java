package dev.fakegpu.dra.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.dra.mixin.MixedSlice;

/** What a slice would be with mixins (KEP-5234), in an annotation of it, since no API server keeps them in the spec. */
public final class MixinsAnnotation {

    /** On ResourceSlices. */
    public static final String KEY = "fakegpu.dev/mixins";

    /** All annotations together may have 256 KiB. */
    static final int MAX_BYTES = 128 * 1024;

    private MixinsAnnotation() {}

    /** The spec as JSON, or a sentence if that is too large. */
    public static String write(MixedSlice slice) {
        String spec = MixedSlices.spec(slice).toString();
        int bytes = spec.getBytes(UTF_8).length;
        return bytes <= MAX_BYTES
                ? spec
                : "not shown: with mixins the spec has %d bytes, and at most %d fit here".formatted(bytes, MAX_BYTES);
    }
}
