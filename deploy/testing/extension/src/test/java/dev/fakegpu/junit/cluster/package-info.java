/** Tests of the clusters without any cluster. */
package dev.fakegpu.junit.cluster;
