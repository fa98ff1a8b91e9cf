/** What a FakeGpu becomes, without a cluster: the ResourceSlices that the operator would publish. */
@NullMarked
package dev.fakegpu.render;

import org.jspecify.annotations.NullMarked;
