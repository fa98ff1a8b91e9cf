package dev.fakegpu.kube.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fakegpu.api.Labels;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.EventWrites;
import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EventRecorderIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static final int OBJECTS = 200;
    private static final int CHANGES = 30;

    @AutoClose
    private final EventWrites writes =
            new EventWrites(controlPlane.controlPlane().config());

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00.123Z");
    private EventRecorder recorder;
    private ResourceClaim claim;

    @BeforeEach
    void begin() {
        recorder = recorder("fakegpu-test");
        claim = claim();
    }

    @Test
    void anEventHasObjectReasonMessageAndTime() {
        // When
        recorder.warning(claim, EventReason.NotAllocated, "no device");

        // Then
        assertThat(eventsOn(claim)).singleElement().satisfies(event -> {
            assertThat(event.getType()).isEqualTo("Warning");
            assertThat(event.getReason()).isEqualTo("NotAllocated");
            assertThat(event.getMessage()).isEqualTo("no device");
            assertThat(event.getCount()).isEqualTo(1);
            assertThat(event.getFirstTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
            assertThat(event.getSource().getComponent()).isEqualTo("fakegpu-test");
            assertThat(event.getInvolvedObject().getKind()).isEqualTo("ResourceClaim");
            assertThat(event.getInvolvedObject().getApiVersion()).isEqualTo("resource.k8s.io/v1");
        });
    }

    @Test
    void theCodeOfTheCauseIsThatOfTheNewestMessage() {
        // Given
        recorder.warning(claim, new EventRecorder.Message(EventReason.NotAllocated, "no device", "DevicesInUse"));
        clock.advance(Duration.ofMinutes(1));

        // When
        recorder.warning(claim, new EventRecorder.Message(EventReason.NotAllocated, "no device", "DevicesTainted"));

        // Then
        assertThat(eventsOn(claim)).singleElement().satisfies(event -> {
            assertThat(event.getCount()).isEqualTo(2);
            assertThat(event.getMetadata().getAnnotations()).containsEntry(Labels.REASON, "DevicesTainted");
        });
    }

    @Test
    void aRepeatedEventIsCounted() {
        // Given
        recorder.normal(claim, EventReason.Allocated, "gpu-0");
        clock.advance(Duration.ofMinutes(1));

        // When
        recorder.normal(claim, EventReason.Allocated, "gpu-0");

        // Then
        assertThat(eventsOn(claim)).singleElement().satisfies(event -> {
            assertThat(event.getCount()).isEqualTo(2);
            assertThat(event.getFirstTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
            assertThat(event.getLastTimestamp()).isEqualTo("2026-01-01T00:01:00Z");
        });
    }

    @Test
    void anEventRepeatedWithinTheIntervalIsWrittenOnce() {
        // When
        recorder.normal(claim, EventReason.Allocated, "gpu-0");
        clock.advance(Duration.ofMillis(4999));
        recorder.normal(claim, EventReason.Allocated, "gpu-0");

        // Then
        assertThat(eventsOn(claim)).singleElement().extracting(Event::getCount).isEqualTo(1);
    }

    /** This happens when many pods wait for a device that is reallocated every few hundred milliseconds. */
    @Test
    void reasonsOfManyObjectsThatChangeOftenAreAFewWritesAndTheNewestIsAmongThem() {
        // Given
        List<ResourceClaim> waiting = IntStream.range(0, OBJECTS)
                .mapToObj(number -> new ResourceClaimBuilder(claim)
                        .editMetadata()
                        .withName("claim-" + number)
                        .withUid(UUID.randomUUID().toString())
                        .endMetadata()
                        .build())
                .toList();

        // When
        IntStream.rangeClosed(1, CHANGES).forEach(change -> {
            waiting.forEach(each -> recorder.warning(each, EventReason.NotAllocated, "held by claim " + change));
            clock.advance(Duration.ofMillis(300));
        });

        // Then
        awaitWrites(OBJECTS * EventCorrelator.BURST);

        // When
        clock.advance(EventCorrelator.REFILL_INTERVAL);

        // Then
        Awaitility.await()
                .untilAsserted(() -> assertThat(messages())
                        .filteredOn(message -> message.endsWith("held by claim " + CHANGES))
                        .hasSize(OBJECTS));
        awaitWrites(OBJECTS * (EventCorrelator.BURST + 1));
    }

    @Test
    void aRestartedRecorderContinuesTheCount() {
        // Given
        recorder.normal(claim, EventReason.Allocated, "gpu-0");

        // When
        recorder("fakegpu-test").normal(claim, EventReason.Allocated, "gpu-0");

        // Then
        assertThat(eventsOn(claim)).singleElement().extracting(Event::getCount).isEqualTo(2);
    }

    @Test
    void differentContentIsADifferentEvent() {
        // When
        recorder.warning(claim, EventReason.NotAllocated, "no device");
        recorder.warning(claim, EventReason.NotAllocated, "another sentence");
        recorder.warning(claim, EventReason.FailedScheduling, "no device");
        recorder("another").warning(claim, EventReason.NotAllocated, "no device");

        // Then
        assertThat(eventsOn(claim)).hasSize(4).extracting(Event::getCount).containsOnly(1);
    }

    @Test
    void aLaterObjectOfTheSameNameHasItsOwnEvents() {
        // Given
        recorder.normal(claim, EventReason.Allocated, "gpu-0");
        var later = new ResourceClaimBuilder(claim)
                .editMetadata()
                .withUid(UUID.randomUUID().toString())
                .endMetadata()
                .build();

        // When
        recorder.normal(later, EventReason.Allocated, "gpu-0");

        // Then
        assertThat(eventsOn(claim)).extracting(Event::getCount).containsExactly(1);
        assertThat(eventsOn(later)).extracting(Event::getCount).containsExactly(1);
    }

    @Test
    void eventsOnClusterScopedObjectsAreInNamespaceDefault() {
        // Given
        var cluster = controlPlane
                .client()
                .resource(new DeviceClassBuilder()
                        .withNewMetadata()
                        .withName("event-recorder-it-" + UUID.randomUUID())
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();

        // When
        recorder.normal(cluster, EventReason.Published, "stored");

        // Then
        assertThat(eventsOn(cluster))
                .singleElement()
                .extracting(event -> event.getMetadata().getNamespace())
                .isEqualTo("default");
    }

    @Test
    void aLongMessageIsShortenedToTheLimitOfTheApi() {
        // When
        recorder.warning(claim, EventReason.NotAllocated, "x".repeat(1024));
        recorder.warning(claim, EventReason.NotAllocated, "y".repeat(1025));

        // Then
        assertThat(eventsOn(claim))
                .extracting(Event::getMessage)
                .containsExactlyInAnyOrder("x".repeat(1024), "y".repeat(1023) + "…");
    }

    @Test
    void aLongMessageWithNonAsciiCharactersIsRecorded() {
        // When
        recorder.warning(claim, EventReason.NotAllocated, "ü".repeat(2000));

        // Then
        assertThat(eventsOn(claim)).hasSize(1);
    }

    @Test
    void eventsInANamespaceThatIsBeingDeletedAreDroppedWithoutAWarning() {
        // Given
        var warnings = new ArrayList<String>();
        var strict = new EventRecorder(writes.client(), clock, clock, "fakegpu-test", warnings::add);

        // When
        controlPlane
                .client()
                .namespaces()
                .withName(claim.getMetadata().getNamespace())
                .delete();
        strict.normal(claim, EventReason.Allocated, "gpu-0");

        // Then
        assertThat(eventsOn(claim)).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void anEventThatCannotBeWrittenIsIgnored() {
        // Given
        var nowhere = new ResourceClaimBuilder(claim)
                .editMetadata()
                .withNamespace("no-such-namespace")
                .endMetadata()
                .build();

        // Then
        assertThatCode(() -> recorder.normal(nowhere, EventReason.Allocated, "gpu-0"))
                .doesNotThrowAnyException();
    }

    private EventRecorder recorder(String component) {
        return new EventRecorder(writes.client(), clock, clock, component);
    }

    private static ResourceClaim claim() {
        String namespace = "events-" + UUID.randomUUID().toString().substring(0, 8);
        controlPlane
                .client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        return controlPlane
                .client()
                .resource(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("claim")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
    }

    private List<String> messages() {
        return controlPlane
                .client()
                .v1()
                .events()
                .inNamespace(claim.getMetadata().getNamespace())
                .list()
                .getItems()
                .stream()
                .map(Event::getMessage)
                .toList();
    }

    /** Another thread writes delayed events. */
    private void awaitWrites(int expected) {
        Awaitility.await().untilAsserted(() -> assertThat(writes.count()).isEqualTo(expected));
    }

    private static List<Event> eventsOn(HasMetadata object) {
        return controlPlane.client().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> object.getMetadata()
                        .getUid()
                        .equals(event.getInvolvedObject().getUid()))
                .toList();
    }
}
