/** Tests of the package's classes that need no cluster. */
package dev.fakegpu.junit.cluster;
