/** Turns the ResourceSlices of a cluster into FakeGpus that publish the same devices. */
@NullMarked
package dev.fakegpu.hardware.importer;

import org.jspecify.annotations.NullMarked;
