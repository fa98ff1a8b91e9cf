/** The operator: makes the ResourceSlices, nodes and DeviceClasses of each FakeGpu exist, and says in its status what became of it. */
@NullMarked
package dev.fakegpu.publish;

import org.jspecify.annotations.NullMarked;
