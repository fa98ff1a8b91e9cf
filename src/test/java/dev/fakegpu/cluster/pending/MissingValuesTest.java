package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests what is said if no device has a requested value. */
class MissingValuesTest {

    @Test
    void aMisspelledValueIsReportedWithTheExistingValues() {
        String text = new PendingCluster()
                .node("n1", ", attributes: {type: {string: mig-1g.5gb}}")
                .node("n2", ", attributes: {type: {string: whole}}")
                .claim(
                        "train",
                        ", selectors: [{cel: {expression: 'device.attributes[\"vendor.com\"].type == \"mig-1g.5bg\"'}}]")
                .pod("train", "train", "")
                .textAboutPod("train");

        assertThat(text.replaceAll("\\s+", " "))
                .contains("request \"gpu\" compares attribute vendor.com/type with \"mig-1g.5bg\""
                        + " (did you mean \"mig-1g.5gb\"?), which no device has; devices have mig-1g.5gb, whole");
    }

    /** A class of a driver is valid even if the driver has no devices (yet). */
    @Test
    void aClassThatIsNamedAfterItsDriverIsNotReportedAsMisspelled() {
        Answer answer = new PendingCluster()
                .node("n1", "")
                .with("""
                        apiVersion: resource.k8s.io/v1
                        kind: DeviceClass
                        metadata: {name: vendors.com}
                        spec: {selectors: [{cel: {expression: "device.driver == 'vendors.com'"}}]}
                        """, """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {namespace: team, name: train}
                        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: vendors.com}}]}}
                        """)
                .pod("train", "train", "")
                .explainer()
                .pod("team", "train");

        assertThat(answer.facts())
                .contains(
                        "class \"vendors.com\" compares the driver with \"vendors.com\", which no device has; devices have vendor.com");
    }

    @Test
    void anAmountThatNoDeviceHasIsReportedWithTheExistingAmounts() {
        Answer answer = new PendingCluster()
                .node("n1", ", capacity: {memory: {value: 40Gi}}")
                .node("n2", ", capacity: {memory: {value: 80Gi}}")
                .claim(
                        "train",
                        ", selectors: [{cel: {expression: 'device.capacity[\"vendor.com\"].memory.compareTo(quantity(\"100Gi\")) >= 0'}}]")
                .pod("train", "train", "")
                .explainer()
                .pod("team", "train");

        assertThat(answer.sentence()).contains("; the largest has 80Gi memory");
        assertThat(answer.facts())
                .contains(
                        "request \"gpu\" asks for at least 100Gi memory, which no device has; devices have 40Gi, 80Gi");
    }

    @Test
    void aVersionThatNoDeviceHasIsReportedWithTheExistingVersions() {
        Answer answer = new PendingCluster()
                .node("n1", ", attributes: {driverVersion: {version: 570.86.15}}")
                .claim(
                        "train",
                        ", selectors: [{cel: {expression: 'device.attributes[\"vendor.com\"].driverVersion.isGreaterThan(semver(\"580.0.0\"))'}}]")
                .pod("train", "train", "")
                .explainer()
                .pod("team", "train");

        assertThat(answer.sentence()).contains("; devices have driverVersion 570.86.15");
        assertThat(answer.facts())
                .contains(
                        "request \"gpu\" asks for driverVersion of more than 580.0.0, which no device has; devices have 570.86.15");
    }

    @Test
    void valuesThatADeviceHasAreNotReported() {
        String text = new PendingCluster()
                .node("n1", ", attributes: {type: {string: part}}")
                .node("n2", ", attributes: {type: {string: whole}}, taints: [{key: t, effect: NoSchedule}]")
                .claim(
                        "train",
                        ", selectors: [{cel: {expression: 'device.attributes[\"vendor.com\"].type == \"whole\"'}}]")
                .pod("train", "train", "")
                .textAboutPod("train");

        assertThat(text).contains("t:NoSchedule").doesNotContain("which no device has");
    }
}
