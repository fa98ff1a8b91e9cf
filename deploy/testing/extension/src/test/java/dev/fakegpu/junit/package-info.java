/** Tests of the settings of clusters and of assertions. */
package dev.fakegpu.junit;
