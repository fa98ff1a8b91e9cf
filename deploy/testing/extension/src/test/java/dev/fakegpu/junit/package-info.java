/** Tests of what can be wanted of a cluster, and said about it. */
package dev.fakegpu.junit;
