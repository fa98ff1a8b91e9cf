package dev.fakegpu.dra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.dra.RawJson;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.NetworkDeviceDataBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceStatusesTest {

    private static final DeviceId DEVICE = new DeviceId("gpu.example.com", "node-1/a100", "gpu-0-mig-1g5gb-19-0");
    private static final CompatibilityGroups MIG = new CompatibilityGroups(Map.of("gpu-0-counter-set", List.of("mig")));
    private static final CompatibilityGroups NONE = new CompatibilityGroups(Map.of("gpu-0-counter-set", List.of()));

    private final KubernetesSerialization json = new KubernetesSerialization();

    @Test
    void recordsSurviveTheApiServer() {
        var stored = stored(DeviceStatuses.of(DEVICE, NONE, MIG, List.of()));
        assertThat(DeviceStatuses.snapshot(stored, DEVICE)).isEqualTo(NONE);
        assertThat(DeviceStatuses.preparedAs(stored, DEVICE)).isEqualTo(MIG);
    }

    @Test
    void noGroupsDiffersFromNothingRecorded() {
        var recorded = stored(DeviceStatuses.ofSnapshot(DEVICE, NONE));
        assertThat(DeviceStatuses.snapshot(recorded, DEVICE)).isEqualTo(NONE);
        assertThat(DeviceStatuses.preparedAs(recorded, DEVICE)).isNull();
    }

    @Test
    void dataOfOthersIsNotARecord() {
        var status = DeviceStatuses.ofSnapshot(DEVICE, MIG);
        status.setData("text");
        assertThat(DeviceStatuses.snapshot(stored(status), DEVICE)).isNull();
        for (var data : List.of(
                Map.of("compatibilityGroups", List.of("mig")),
                Map.of("fakegpu", "text"),
                Map.of("fakegpu", Map.of("compatibilityGroups", List.of("mig"))))) {
            status.setData(data);
            assertThat(DeviceStatuses.snapshot(stored(status), DEVICE)).isNull();
        }
    }

    @Test
    void isPreparedOnlyIfTheConditionSaysSo() {
        assertThat(DeviceStatuses.isPrepared(withCondition("True", "Prepared"), DEVICE))
                .isTrue();
        assertThat(DeviceStatuses.isPrepared(withCondition("False", "Unprepared"), DEVICE))
                .isFalse();
        assertThat(DeviceStatuses.isPrepared(withCondition("True", "SomebodyElse"), DEVICE))
                .isFalse();
    }

    @Test
    void aConditionReplacesOnlyTheOneOfItsType() {
        // Given
        var status = DeviceStatuses.of(DEVICE, MIG, null, List.of(condition("a", "False"), condition("b", "False")));

        // When
        var changed = DeviceStatuses.withCondition(status, condition("a", "True"));

        // Then
        assertThat(DeviceStatuses.isTrue(changed, "a")).isTrue();
        assertThat(changed.getConditions()).containsExactlyInAnyOrder(condition("a", "True"), condition("b", "False"));
        assertThat(DeviceStatuses.snapshot(stored(changed), DEVICE)).isEqualTo(MIG);
    }

    @Test
    void eachShareHasAStatus() {
        // Given
        var claim = stored(DeviceStatuses.ofShare(DeviceStatuses.of(DEVICE, MIG, null, List.of()), "one"));
        var result = new DeviceRequestAllocationResultBuilder()
                .withDriver(DEVICE.driver())
                .withPool(DEVICE.pool())
                .withDevice(DEVICE.device());

        // When
        var one = DeviceStatuses.known(claim, result.withShareID("one").build());
        var two = DeviceStatuses.known(claim, result.withShareID("two").build());

        // Then
        assertThat(DeviceStatuses.snapshot(stored(one), DEVICE)).isEqualTo(MIG);
        assertThat(two.getShareID()).isEqualTo("two");
        assertThat(DeviceStatuses.snapshot(stored(two), DEVICE)).isNull();
    }

    private static Condition condition(String type, String status) {
        return new ConditionBuilder().withType(type).withStatus(status).build();
    }

    @Test
    void acceptsConditionsThatTheApiServerStoresAsNull() {
        var claim = stored(DeviceStatuses.ofSnapshot(DEVICE, MIG));
        claim.getStatus().getDevices().get(0).setConditions(null);
        assertThat(DeviceStatuses.isPrepared(claim, DEVICE)).isFalse();
    }

    @Test
    void whatContainersGetIsStoredBesideTheRecords() {
        // Given
        var status = DeviceStatuses.withContainer(
                DeviceStatuses.of(DEVICE, NONE, MIG, List.of()),
                "k8s.gpu/claim=uid-a",
                Map.of("X", "1"),
                Map.of("uuid", AttributeValue.of("GPU-1"), "driverVersion", AttributeValue.version("1.0.0")),
                "other");

        // When
        var stored = stored(status);

        // Then
        assertThat(DeviceStatuses.snapshot(stored, DEVICE)).isEqualTo(NONE);
        assertThat(DeviceStatuses.preparedAs(stored, DEVICE)).isEqualTo(MIG);
        var read = stored.getStatus().getDevices().get(0);
        assertThat(DeviceStatuses.cdiDeviceId(read)).hasValue("k8s.gpu/claim=uid-a");
        assertThat(DeviceStatuses.preparedDevice(read).device()).isEqualTo("other");
        assertThat(DeviceStatuses.areAlike(read, status)).isTrue();
        assertThat(DeviceStatuses.areAlike(read, DeviceStatuses.ofSnapshot(DEVICE, NONE)))
                .isFalse();
    }

    @Test
    void mergingKeepsFieldsOfOthersAndDropsOurOutdatedOnes() {
        // Given
        var bound = new ConditionBuilder()
                .withType("example.com/attached")
                .withStatus("True")
                .build();
        var ready = new ConditionBuilder().withType("Ready").withStatus("True").build();
        var known = DeviceStatuses.withContainer(
                DeviceStatuses.of(DEVICE, MIG, MIG, List.of(ready, bound)),
                "k8s.gpu/claim=uid-a",
                Map.of("X", "1"),
                Map.of("model", AttributeValue.of("m")),
                null);
        var data = new HashMap<Object, Object>((Map<?, ?>) known.getData());
        data.put("theirs", 1);
        known.setData(data);
        known.setNetworkData(
                new NetworkDeviceDataBuilder().withInterfaceName("eth0").build());

        // When
        var merged = DeviceStatuses.merged(known, DeviceStatuses.ofSnapshot(DEVICE, MIG));

        // Then
        assertThat(merged.getConditions()).containsExactly(bound);
        assertThat(merged.getNetworkData().getInterfaceName()).isEqualTo("eth0");
        assertThat(merged.getData())
                .isEqualTo(Map.of(
                        "theirs",
                        new RawJson("1"),
                        "fakegpu",
                        Map.of("compatibilityGroups", Map.of("gpu-0-counter-set", List.of("mig")))));
        assertThat(DeviceStatuses.cdiDeviceId(merged)).isEmpty();
    }

    /**
     * The data may come from a network driver on the same node, or from a FakeGpu; in the latter case it is removed when the device is
     * unprepared.
     */
    @Test
    void networkDataIsKeptUnlessItIsOurs() {
        var unprepared = DeviceStatuses.of(DEVICE, MIG, null, List.of());
        var theirs = new AllocatedDeviceStatusBuilder(unprepared)
                .withNewNetworkData()
                .withInterfaceName("eth0")
                .endNetworkData()
                .build();
        var ours = DeviceStatuses.withNetwork(
                unprepared,
                new NetworkData(
                        "net1",
                        List.of("192.0.2.5/24"),
                        "02:00:00:00:00:01",
                        new RawJson("{\"cniVersion\":\"1.1.0\"}")));

        var prepared = DeviceStatuses.merged(theirs, ours);

        assertThat(prepared.getNetworkData().getInterfaceName()).isEqualTo("net1");
        assertThat(prepared.getNetworkData().getIps()).containsExactly("192.0.2.5/24");
        assertThat(prepared.getNetworkData().getHardwareAddress()).isEqualTo("02:00:00:00:00:01");
        assertThat(RawJson.of(prepared.getData()).fields()).containsEntry("cniVersion", new RawJson("\"1.1.0\""));
        assertThat(DeviceStatuses.snapshot(stored(prepared), DEVICE)).isEqualTo(MIG);
        assertThat(DeviceStatuses.merged(prepared, unprepared).getNetworkData()).isNull();
        assertThat(DeviceStatuses.merged(prepared, unprepared).getData()).isEqualTo(unprepared.getData());
        assertThat(DeviceStatuses.merged(theirs, unprepared).getNetworkData()).isEqualTo(theirs.getNetworkData());
    }

    /** The tests of dra-example-driver parse it as a map of attributes, of which they know some fields. */
    @Test
    void dataIsAMapOfAttributes() throws JsonProcessingException {
        var status = DeviceStatuses.withContainer(
                DeviceStatuses.of(DEVICE, NONE, MIG, List.of()),
                "k8s.gpu/claim=uid-a",
                Map.of("X", "1"),
                Map.of("uuid", AttributeValue.of("GPU-1"), "driverVersion", AttributeValue.version("1.0.0")),
                null);

        Map<String, DeviceAttribute> data = new ObjectMapper()
                .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
                .readValue(json.asJson(status.getData()), new TypeReference<>() {});

        assertThat(data).containsOnlyKeys("uuid", "driverVersion", "fakegpu");
        assertThat(data.get("uuid").getString()).isEqualTo("GPU-1");
        assertThat(data.get("driverVersion").getVersion()).isEqualTo("1.0.0");
        assertThat(data.get("fakegpu").getString()).isNull();
    }

    /** A claim that an older version allocated keeps its groups, even if a newer version prepares it. */
    @Test
    void recordsOfOlderVersionsAreReadAndReplaced() {
        // Given
        var old = DeviceStatuses.of(DEVICE, null, null, List.of());
        old.setData(Map.of(
                "compatibilityGroups", MIG.byCounterSet(),
                "preparedAs", NONE.byCounterSet(),
                "cdiDeviceIDs", List.of("k8s.gpu/claim=uid-a"),
                "preparedDevice", "other",
                "theirs", 1));

        // Then
        var stored = stored(old);
        var read = stored.getStatus().getDevices().get(0);
        assertThat(DeviceStatuses.snapshot(stored, DEVICE)).isEqualTo(MIG);
        assertThat(DeviceStatuses.preparedAs(stored, DEVICE)).isEqualTo(NONE);
        assertThat(DeviceStatuses.cdiDeviceId(read)).hasValue("k8s.gpu/claim=uid-a");
        assertThat(DeviceStatuses.preparedDevice(read).device()).isEqualTo("other");
        assertThat(DeviceStatuses.merged(read, DeviceStatuses.ofSnapshot(DEVICE, MIG))
                        .getData())
                .isEqualTo(Map.of(
                        "theirs",
                        new RawJson("1"),
                        "fakegpu",
                        Map.of("compatibilityGroups", Map.of("gpu-0-counter-set", List.of("mig")))));
    }

    /** While a new version replaces an old one, both write. */
    @Test
    void theNewerRecordCounts() {
        var both = DeviceStatuses.ofSnapshot(DEVICE, MIG);
        both.setData(Map.of(
                "compatibilityGroups",
                NONE.byCounterSet(),
                "preparedAs",
                NONE.byCounterSet(),
                "fakegpu",
                Map.of("compatibilityGroups", MIG.byCounterSet())));

        assertThat(DeviceStatuses.snapshot(stored(both), DEVICE)).isEqualTo(MIG);
        assertThat(DeviceStatuses.preparedAs(stored(both), DEVICE)).isEqualTo(NONE);
    }

    private ResourceClaim withCondition(String status, String reason) {
        var condition = new ConditionBuilder()
                .withType("Ready")
                .withStatus(status)
                .withReason(reason)
                .build();
        return stored(DeviceStatuses.of(DEVICE, MIG, MIG, List.of(condition)));
    }

    /** The claim as the client parses it after storing. */
    private ResourceClaim stored(AllocatedDeviceStatus status) {
        var claim = new ResourceClaimBuilder()
                .withNewStatus()
                .withDevices(status)
                .endStatus()
                .build();
        return json.unmarshal(json.asJson(claim), ResourceClaim.class);
    }
}
