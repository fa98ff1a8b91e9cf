package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.PoolSpec;
import dev.fakegpu.dra.PoolId;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Matches pool names against {@code spec.pool.name} of a FakeGpu. */
public final class PoolNames {

    private static final Pattern NODE = Pattern.compile(Pattern.quote(PoolSpec.NODE));

    private PoolNames() {}

    /** Whether the FakeGpu would publish a pool with this name for some node, existing or not. */
    public static boolean couldPublish(FakeGpu fakeGpu, PoolId pool) {
        FakeGpuSpec spec = fakeGpu.getSpec();
        if (!spec.driver().equals(pool.driver())) {
            return false;
        }
        if (spec.nodes().isNetworkAttached()) {
            return pool.name().equals(fakeGpu.getMetadata().getName());
        }
        if (spec.pool() == null) {
            return pool.name().endsWith("/" + fakeGpu.getMetadata().getName());
        }
        return Stream.of(NODE.split(template(fakeGpu), -1))
                .map(Pattern::quote)
                .collect(Collectors.collectingAndThen(Collectors.joining(".+"), Pattern::compile))
                .matcher(pool.name())
                .matches();
    }

    private static String template(FakeGpu fakeGpu) {
        return fakeGpu.getSpec()
                .poolNameTemplate()
                .replace(PoolSpec.FAKEGPU, fakeGpu.getMetadata().getName());
    }
}
