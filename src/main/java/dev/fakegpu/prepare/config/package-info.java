/**
 * Opaque configuration of claims and classes ({@code devices.config[].opaque}), read as the vendors' drivers read it: strictly. Nothing
 * here knows of clusters; what is wrong is a sentence.
 */
@NullMarked
package dev.fakegpu.prepare.config;

import org.jspecify.annotations.NullMarked;
